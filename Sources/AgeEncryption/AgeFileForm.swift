/// The form of an encrypted file, as its first bytes show.
package enum AgeFileForm: Sendable, Equatable {
  /// Binary.
  case binary
  /// ASCII armor, for mail.
  case armored

  /// The number of bytes that show the form.
  package static let prefixSize = AgeHeader.armor.utf8.count

  /// Recognizes the first bytes of a file; nil for a file that is not encrypted.
  ///
  /// - Parameter bytes: ``prefixSize`` bytes, or the whole file if it is shorter; at least four.
  package init?(_ bytes: some Collection<UInt8>) {
    func begins(_ text: String) -> Bool {
      bytes.count >= 4 && bytes.prefix(text.utf8.count).elementsEqual(text.utf8.prefix(bytes.count))
    }
    if begins(AgeHeader.family) {
      self = .binary
    } else if bytes.count >= Self.prefixSize, begins(AgeHeader.armor) {
      self = .armored
    } else {
      return nil
    }
  }
}
