internal import Foundation

/// Values as XML stores write them.
enum XMLValue {
  /// The bytes that a text in base64 is of; nil for other texts.
  ///
  /// Lines are broken and indented, so white space counts as nothing.
  static func bytes(ofBase64 text: String) -> [UInt8]? {
    let digits = text.utf8.filter { $0 > 0x20 }
    guard let data = Data(base64Encoded: Data(digits)) else { return nil }
    return [UInt8](data)
  }
}
