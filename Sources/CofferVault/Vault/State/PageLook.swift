internal import CofferComparison
internal import CofferCore
internal import CofferEditing
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore

/// The result of comparing the pages of a store with the remembered pages of an earlier state.
struct PageLook {
  /// The pages; nil if they are unknown.
  private(set) var pages: PageSurvey?
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
          let survey = unsafe try PageSurvey(pages, schema: schema, { unsafe PageDigest(of: $0) })
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
