internal import CoreDataArchive
internal import CoreDataLayout

/// The losses of an archive that was made from a damaged store.
public struct SalvageFacts: Sendable, Equatable {
  /// The number of rows that are known to be lost: exact, or about right.
  public var lostRowCount = 0
  /// Whether ``lostRowCount`` is exact, and no other rows can be lost.
  public var isExact = false
  /// The number of values lost from objects that were not lost.
  public var lostValueCount = 0
  /// The number of tables that lost all their rows.
  public var lostTableCount = 0
  /// The number of external binary data files that could not be read.
  public var lostFileCount = 0
  /// The number of references to lost objects.
  public var danglingCount = 0
  /// The number of bytes of the write-ahead log that are missing or cannot be applied.
  ///
  /// Above 0, the rows and values that were only there are lost too; their number is unknown.
  public var missingLogByteCount = 0
  /// Whether the archive's list of losses can be read; nothing is known otherwise.
  public var isKnown = false
  /// Whether ``lostRowCount`` is exact, not counting the rows that were only in the log.
  private var isExactWithoutLog = false
  /// Whether a table has lost rows up to an unknown number.
  private var isUnbounded = false

  /// The losses of a document; nil for one that cannot be read.
  init(_ document: SalvageDocument?) {
    guard let document else { return }
    lostRowCount = document.lostRowCount
    isExactWithoutLog = document.isExact
    isUnbounded = document.tables.contains { $0.rows.contains { $0.last == nil } }
    isExact = document.isExact && document.missingLogBytes == 0
    lostValueCount = document.lostValueCount
    lostTableCount = document.lostTableCount
    lostFileCount = document.files.count
    danglingCount = document.danglingCount
    missingLogByteCount = document.missingLogBytes
    isKnown = true
  }

  /// The losses in words, such as `7 rows, 1 value, 2 files`.
  public var text: String {
    guard isKnown else { return "the list of losses cannot be read" }
    var parts: [String] = []
    func add(_ count: Int, _ unit: String, about: String = "") {
      if count > 0 { parts.append("\(about)\(count) \(unit)\(count == 1 ? "" : "s")") }
    }
    if isUnbounded || lostRowCount == 0 && !isExactWithoutLog {
      parts.append("an unknown number of rows")
    } else {
      add(lostRowCount, "row", about: isExactWithoutLog ? "" : "about ")
    }
    add(lostValueCount, "value")
    add(lostTableCount, "whole table")
    add(lostFileCount, "file")
    add(danglingCount, "dangling reference")
    if missingLogByteCount > 0 {
      parts.append("rows that were only in the -wal, and how many is unknown")
    }
    return parts.isEmpty ? "no rows" : parts.joined(separator: ", ")
  }
}

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
