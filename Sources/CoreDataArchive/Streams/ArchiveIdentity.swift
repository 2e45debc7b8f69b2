internal import AgeEncryption
public import CoreDataModel

/// The means to open an encrypted archive: an age secret key, or a passphrase.
///
/// ```swift
/// let content = Array(try Data(contentsOf: keyFile))
/// options.environment.identities = try ArchiveIdentity.identities(inFile: content)
/// ```
///
/// It has no text representation, neither as a description nor for a debugger. Its memory is wiped
/// when the last copy is gone; the caller is responsible for the original bytes.
public struct ArchiveIdentity: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  let age: AgeIdentity

  private init(_ age: AgeIdentity) { self.age = age }

  /// Makes a new secret key.
  init() { age = AgeIdentity() }

  /// The identity of a passphrase.
  ///
  /// - Throws: `invalid-passphrase` for an empty one, and for one that is too long.
  public init(passphrase: [UInt8]) throws(CofferError) {
    do {
      age = AgeIdentity(try AgePassphrase(passphrase))
    } catch {
      throw CofferError(error, path: "")
    }
  }

  /// Reads the content of a file that `age-keygen` wrote.
  ///
  /// - Parameters:
  ///   - content: the bytes of the file.
  ///   - path: the path for errors.
  /// - Returns: at least one.
  /// - Throws: `invalid-identity`, also for identities of plugins, of SSH, and for a file that is protected
  ///   with a passphrase.
  public static func identities(
    inFile content: [UInt8], path: String = ""
  ) throws(CofferError) -> [ArchiveIdentity] {
    do {
      return try AgeIdentityFile.identities(content).map { ArchiveIdentity($0) }
    } catch {
      throw CofferError(error, path: path)
    }
  }

  /// The maximum size of an identity file.
  public static var fileSizeLimit: Int { AgeLimits.identityFileSize }
  /// The maximum size of a passphrase.
  public static var passphraseSizeLimit: Int { AgeLimits.passphraseSize }

  /// Whom to encrypt for so that this opens it, `age1…`; nil for a passphrase.
  public var recipient: String? { age.recipient?.description }

  /// Describes the kind, without the secret.
  public var description: String { age.description }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
