internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// The result of an extraction of values.
package struct ExtractionSummary: Sendable, Equatable {
  /// The number of values.
  package var valueCount = 0
  /// The number of their bytes.
  package var byteCount = 0
  /// The number of values whose files of external binary data are missing.
  package var missingFileCount = 0
}

/// The file of a value in a folder, with an extension that suits its content.
struct ExtractedFile {
  private let folder: OutputFolder
  private let name: String
  /// The file extension; nil to recognize the content.
  private let ending: String?
  /// The bytes before the file has its name.
  private var head: [UInt8] = []
  /// The name, once it is known.
  private var fullName: String?

  /// Without an extension, the content is recognized.
  init(_ folder: OutputFolder, _ name: String, ending: String?) {
    self.folder = folder
    self.name = name
    self.ending = ending
  }

  /// Takes some bytes.
  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(CofferError) {
    if fullName == nil {
      unsafe head.append(contentsOf: bytes)
      if head.count > ShownValue.treeLimit { try begin(isWhole: false) }
    } else if let fullName {
      try unsafe folder.append(bytes, to: fullName)
    }
  }

  /// Writes the pending bytes.
  mutating func complete() throws(CofferError) {
    if fullName == nil { try begin(isWhole: true) }
  }

  private mutating func begin(isWhole: Bool) throws(CofferError) {
    let file = "\(name).\(ending ?? Self.ending(of: head, isWhole: isWhole))"
    try folder.create(file)
    let result = unsafe head.withUnsafeBytes { bytes in
      Result { () throws(CofferError) in
        if unsafe !bytes.isEmpty { unsafe try folder.append(bytes, to: file) }
      }
    }
    try result.get()
    head = []
    fullName = file
  }

  /// The extension for a content.
  static func ending(of bytes: [UInt8], isWhole: Bool) -> String {
    if bytes.starts(with: "bplist00".utf8) { return "plist" }
    if bytes.starts(with: "<?xml".utf8) {
      let head = String(decoding: bytes.prefix(1 << 10), as: UTF8.self)
      return head.contains("<plist") ? "plist" : "xml"
    }
    let content = unsafe bytes.withUnsafeBytes { unsafe ShownContent($0) }
    switch content?.kind {
    case .jpeg?: return "jpg"
    // Any 16 bytes can be one.
    case .uuid?: return "bin"
    case let kind?: return kind.rawValue
    case nil: break
    }
    guard isWhole, !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || "\n\r\t".unicodeScalars.contains($0) })
    else { return "bin" }
    return "txt"
  }
}
