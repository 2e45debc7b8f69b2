internal import CoreDataArchive

/// The finding about an archive that was made from a damaged store.
enum SalvageFinding {
  /// The finding for an entry `salvage.json`.
  ///
  /// - Parameter text: the bytes of the entry; an unreadable entry is a finding too.
  /// - Returns: the finding, with the losses.
  static func finding(_ text: ContiguousArray<UInt8>) -> Finding {
    Finding(.salvagedArchive, detail: facts(text).text)
  }

  /// The losses that an entry lists; unknown ones if it is unreadable.
  static func facts(_ text: ContiguousArray<UInt8>) -> SalvageFacts {
    let value = try? JSONValue.parse(text)
    return SalvageFacts(value.flatMap { try? SalvageDocument($0) })
  }
}
