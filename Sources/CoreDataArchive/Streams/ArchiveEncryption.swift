internal import AgeEncryption
public import CoreDataModel

/// Who can read an encrypted archive.
///
/// The file is one of age v1: `age -d` opens it.
public struct ArchiveEncryption: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  private let audience: AgeEncryptor.Audience

  /// Encrypts for recipients: anyone with the identity of one of them can read the archive.
  ///
  /// - Parameter recipients: `age1…`, as `age-keygen -y` shows them; at least one.
  /// - Throws: `invalid-recipient`, without the text, which may be a secret by mistake.
  public init(recipients: [String]) throws(CofferError) {
    do throws(AgeError) {
      let keys = try recipients.map { text throws(AgeError) in try AgeRecipient(text) }
      guard (1...AgeLimits.recipientCount).contains(keys.count) else {
        throw AgeError(.invalidRecipient, "expected 1 to \(AgeLimits.recipientCount) recipients")
      }
      audience = .recipients(keys)
    } catch {
      throw CofferError(error, path: "")
    }
  }

  /// Encrypts with a passphrase.
  ///
  /// - Throws: `invalid-passphrase` for an empty one, and for one that is too long.
  public init(passphrase: [UInt8]) throws(CofferError) {
    do {
      audience = .passphrase(try AgePassphrase(passphrase))
    } catch {
      throw CofferError(error, path: "")
    }
  }

  /// Describes the encryption without any secret.
  public var description: String {
    switch audience {
    case .recipients(let recipients): "for \(recipients.count) recipients"
    case .passphrase: "with a passphrase"
    }
  }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Begins a file.
  func encryptor(path: String) throws(CofferError) -> AgeEncryptor {
    do {
      return try AgeEncryptor(for: audience)
    } catch {
      throw CofferError(error, path: path)
    }
  }

  /// The number of bytes that show whether a file is encrypted.
  package static var prefixSize: Int { AgeFileForm.prefixSize }

  /// Whether a file is encrypted with age, in any form.
  ///
  /// - Parameter beginning: the first ``prefixSize`` bytes, or all if there are fewer.
  /// - Returns: whether it is.
  package static func isEncrypted(_ beginning: some Collection<UInt8>) -> Bool {
    AgeFileForm(beginning) != nil
  }
}
