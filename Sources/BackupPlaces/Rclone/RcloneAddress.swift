package import CoreDataModel

/// The location of a vault on a service that rclone supports: `rclone:REMOTE:PATH`.
package struct RcloneAddress: Sendable, Equatable, CustomStringConvertible {
  /// The beginning of such addresses.
  package static let scheme = "rclone:"

  /// The folder as rclone names it, without a slash at the end.
  let folder: String

  /// The address, without a slash at the end.
  package var description: String { Self.scheme + folder }

  /// Reads an address.
  ///
  /// - Throws: `invalid-place`, also for a remote that is described in the address itself: everybody on
  ///   this machine can see the arguments of programs, and with them what such a remote is opened with.
  package init(_ text: String) throws(CofferError) {
    var folder = String(text.dropFirst(Self.scheme.count))
    // A single slash means the root of a local disk, not an empty path.
    while folder.hasSuffix("/"), !folder.hasSuffix(":/") { folder.removeLast() }
    let remote = folder.prefix(upTo: folder.dropFirst().firstIndex(of: ":") ?? folder.endIndex)
    guard !remote.contains(where: { $0 == "," || $0 == "=" }) else {
      throw CofferError(
        .invalidPlace, path: Self.scheme + folder.prefix { $0 != "," && $0 != "=" } + "…",
        detail: "the remote has options, which other users of this machine could see",
        advice: "Give the remote a name with rclone config, and use that.")
    }
    guard text.hasPrefix(Self.scheme), folder.dropFirst().contains(":"),
      folder.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !folder.hasPrefix("-")
    else {
      throw CofferError(
        .invalidPlace, path: text, detail: "it is not the address of a remote of rclone",
        advice: "Write it as rclone:REMOTE:PATH; rclone listremotes lists the remotes.")
    }
    self.folder = folder
  }

  /// A file as rclone names it.
  func path(_ name: String) -> String {
    folder.hasSuffix(":") || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}
