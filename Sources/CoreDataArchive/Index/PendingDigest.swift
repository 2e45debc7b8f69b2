internal import Crypto
internal import Synchronization

/// The digest of content that was read but not hashed yet, so that another thread can do that.
///
/// Whoever asks for it first computes it, and the content is given up then. Hash the content before it is
/// changed in place: until then this value holds it too.
package final class PendingDigest: Sendable {
  private enum State: Sendable {
    case content(ContiguousArray<UInt8>)
    case digest(ArchiveDigest)
  }

  private let state: Mutex<State>

  /// - Parameter content: the whole content.
  init(of content: ContiguousArray<UInt8>) { state = Mutex(.content(content)) }

  /// The digest.
  package var value: ArchiveDigest {
    state.withLock { state in
      switch state {
      case .digest(let digest): return digest
      case .content(let content):
        var hash = SHA256()
        unsafe content.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
        let digest = ArchiveDigest(hash)
        state = .digest(digest)
        return digest
      }
    }
  }
}
