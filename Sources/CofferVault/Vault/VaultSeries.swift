internal import BackupPlaces
internal import CofferCore
internal import CofferTables
internal import CoreDataModel

extension Vault {
  /// The backups with the records of their stores.
  func named(_ listing: VaultListing) -> [Backup] {
    listing.series.flatMap { described(listing.backups[$0] ?? [], of: $0, listing) }
  }

  func described(
    _ backups: [Backup], of series: BackupSeries, _ listing: VaultListing
  ) -> [Backup] {
    let sources = ((try? sources(of: series, listing)) ?? []).compactMap { $0 }
    let name = sources.last?.source.fileName ?? storeName(series)
    return backups.map { backup in
      var backup = backup
      backup.storeName = name
      backup.source = sources.last { $0.since <= backup.moment }?.source
      backup.latestSource = sources.last?.source
      return backup
    }
  }

  /// The recorded places of a series' store, the earliest first; nil for a document that cannot be parsed.
  func sources(
    of series: BackupSeries, _ listing: VaultListing
  ) throws(CofferError) -> [VaultSourceDocument?] {
    var documents: [VaultSourceDocument?] = []
    for number in listing.sources[series] ?? [] {
      documents.append(
        VaultSourceDocument(
          try place.read(
            "\(series.id)/\(VaultSourceDocument.fileName(number))", range: Self.documentRange)))
    }
    return documents
  }

  /// The name of a store's file as recorded by an earlier version; nil if there is none.
  func storeName(_ series: BackupSeries) -> String? {
    let bytes = try? place.read(
      "\(series.id)/\(VaultStoreDocument.fileName)", range: Self.documentRange)
    return bytes.flatMap { VaultStoreDocument($0)?.name }
  }

  /// The series of stores with a UUID; the series with the latest backup comes last.
  func series(of uuid: String, _ listing: VaultListing) throws(CofferError) -> [SeriesChoice.Known]
  {
    let all = Set(listing.series + listing.sources.keys).filter {
      $0.storeUUID.uppercased() == uuid.uppercased()
    }
    let latest = { (series: BackupSeries) in listing.backups[series]?.last?.name.stem ?? "" }
    let sorted = all.sorted {
      (latest($0), $0.id) < (latest($1), $1.id)
    }
    var known: [SeriesChoice.Known] = []
    for series in sorted {
      let documents = try sources(of: series, listing)
      let source = documents.last?.flatMap(\.source)
      // A series with a damaged document still counts as recorded.
      let name = documents.isEmpty ? storeName(series) : source?.fileName
      let earlier = documents.dropLast().compactMap { $0?.source }
      known.append(
        SeriesChoice.Known(series: series, source: source, fileName: name, earlier: earlier))
    }
    return known
  }

  /// Finds the series of a store, and records the store's place if it is new.
  func enterSeries(
    _ source: StoreSource, _ uuid: String, name: String?, at now: Instant, _ folder: WorkFolder
  ) throws -> SeriesChoice {
    for attempt in 0..<Self.attempts {
      let listing = VaultListing(try place.list(""))
      let known = try series(of: uuid, listing)
      let choice = SeriesChoice(source, uuid, name: name, among: known)
      guard known.first(where: { $0.series == choice.series })?.source != source else {
        return choice
      }
      // Even if the clock was set back, earlier backups keep their recorded places.
      let last = listing.backups[choice.series]?.last?.moment.advanced(by: 1) ?? now
      let document = VaultSourceDocument(since: max(now, last), source: source)
      let number = (listing.sources[choice.series]?.last ?? 0) + 1
      let file = "\(choice.series.id)/\(VaultSourceDocument.fileName(number))"
      let path = try folder.write(document.bytes, to: "source-\(attempt).json")
      // Another writer may have been first; not every place reports it.
      let isWritten = try place.putIfAbsent(file, from: path)
      guard try place.find(file) != nil else { throw unlisted(file) }
      if isWritten, try place.read(file, range: Self.documentRange) == document.bytes {
        return choice
      }
    }
    throw CofferError(
      .writeFailed, path: location,
      detail: "other writers keep adding backups of stores with this UUID", advice: "Try again.")
  }

  /// The maximum number of times to choose a series again because another writer was first.
  private static let attempts = 60
}
