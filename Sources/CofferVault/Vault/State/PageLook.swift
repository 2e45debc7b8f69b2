internal import CofferCore
internal import CofferEditing
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore
internal import Crypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The result of comparing the pages of a store with the remembered pages of an earlier state.
struct PageLook {
  /// The pages; nil if they are unknown.
  private(set) var pages: PageSurvey?
  /// The key of the digests of pages.
  let key: PageDigest
  /// The identity of the files; nil if it is not certain.
  private(set) var identity: ContentIdentity?
  /// The rows that can have changed; nil for any.
  private var news: LeafComparison?

  /// Looks at the pages.
  ///
  /// - Parameters:
  ///   - source: the store.
  ///   - before: the earlier state; nil if none is known.
  /// - Throws: ``CofferError`` with `store-busy` if the store has changed; `CancellationError`.
  init(at source: StoreRowSource, since before: StateFile?) throws {
    let hasher = try PageHasher(key: before?.description.pages?.key)
    key = hasher.key
    do {
      // Before the pages: whatever comes later has another identity.
      identity = try source.store.identity()
      if let known = before?.pages, let identity, identity == before?.description.pages?.identity {
        (pages, news) = (known, LeafComparison(nothingSince: known))
        return
      }
      let schema = try source.database.rows(PageSurvey.schemaStatement)
      let found = try source.store.pages { pages -> (PageSurvey, LeafComparison?)? in
        guard
          let survey = unsafe try PageSurvey(
            pages, schema: schema, { unsafe try hasher.digest(of: $0) })
        else { return nil }
        guard let known = before?.pages, let single = try pages.single() else {
          return (survey, nil)
        }
        return (survey, try LeafComparison(from: known, to: survey, single))
      }
      if case (let survey, let comparison)?? = found { (pages, news) = (survey, comparison) }
    } catch let error as CofferError where error.code != .storeBusy {
      // A backup needs no page: reading the rows shows the defect.
    }
  }

  /// The parts of an archive of the earlier state that need not be read; nil to read all rows.
  func keptParts(
    of before: StateFile, _ sources: [TableSource], _ documents: ChangesDescription,
    _ rule: KeptParts.Rule
  ) -> KeptParts? {
    guard let news else { return nil }
    return KeptParts(news, since: before, sources, rule) {
      StateRecorder.columns(of: $0, documents)
    }
  }

  /// A collector of changes that the pages did not show; nil if all rows can have changed.
  func missedChanges(
    in sources: [TableSource], _ documents: ChangesDescription
  ) -> MissedChanges? {
    news.map { MissedChanges($0, sources, documents) }
  }
}

/// Computes the digests of pages: the tags of GMAC (NIST SP 800-38D) under a random key, which stays the same from
/// state to state.
///
/// Because no page depends on the key, two different pages have the same digest with a probability of at most
/// 2⁻¹¹⁶. SHA-256 takes 1.7 times as long.
private struct PageHasher {
  let key: PageDigest
  private let secret: SymmetricKey
  private let nonce: AES.GCM.Nonce

  /// Takes the key of an earlier state; a new one for nil.
  init(key: PageDigest?) throws {
    let random = UInt64.min...UInt64.max
    self.key = key ?? PageDigest(high: .random(in: random), low: .random(in: random))
    secret = SymmetricKey(data: self.key.bytes)
    nonce = try AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12))
  }

  func digest(of page: UnsafeRawBufferPointer) throws -> PageDigest {
    let box = unsafe try AES.GCM.seal([UInt8](), using: secret, nonce: nonce, authenticating: page)
    return unsafe box.tag.withUnsafeBytes { bytes in
      unsafe PageDigest(
        high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }
}
