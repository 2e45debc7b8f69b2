public import CoreDataArchive
public import CoreDataStore

/// The environment of an operation: how to read stores and archives, and where to put temporary
/// files.
public struct WorkEnvironment: Sendable, Equatable {
  /// The required model of the stores and archives that are read; nil for any.
  ///
  /// A store without a copy of its model is read with this one.
  public var model: LoadedModel?
  /// How stores are read; the default is safe in any app.
  public var storeAccess: StoreAccess
  /// The identities that open encrypted archives, in the order to try.
  ///
  /// They are ignored for archives that are not encrypted.
  public var identities: [ArchiveIdentity]
  /// The limits of archives.
  public var limits = ArchiveLimits.standard
  /// The folder for temporary data that does not fit in memory, and for private copies; nil for the
  /// system's temporary folder.
  public var temporaryFolder: String?
  private var known: KnownState?

  /// Creates an environment; by default, it is safe in any app and accepts any model.
  public init(
    model: LoadedModel? = nil, storeAccess: StoreAccess = .copy,
    identities: [ArchiveIdentity] = [], temporaryFolder: String? = nil
  ) {
    self.model = model
    self.storeAccess = storeAccess
    self.identities = identities
    self.temporaryFolder = temporaryFolder
  }

  /// A state that is read by its path although there is no file; nil if there is none.
  package var composed: (any ComposedState)? {
    get { known?.state }
    set { known = newValue.map { KnownState(state: $0) } }
  }

  /// Makes sure that a file exists at a path that may represent a composed state.
  package func requireFile(at path: String) throws {
    if let composed, composed.path == path { try composed.write() }
  }

  /// An environment for stores that no one else uses.
  package static let inPlace = WorkEnvironment(storeAccess: .inPlace)

  /// The same environment, which accepts any model.
  package var acceptingAnyModel: WorkEnvironment {
    var environment = self
    environment.model = nil
    return environment
  }

  /// The options for the container.
  package func readerOptions(collectsProblems: Bool = false) -> ArchiveReaderOptions {
    var options = ArchiveReaderOptions(
      collectsProblems: collectsProblems, identities: identities, limits: limits)
    if let temporaryFolder { options.temporaryFolder = temporaryFolder }
    return options
  }

  /// The number of objects in an archive file according to its index, for estimates; nil if no one
  /// needs it or it is unknown.
  ///
  /// Damage is reported when the archive is read.
  func objectCount(in source: ArchiveSource, for progress: any ProgressReporter) -> Int? {
    // This opens the index, which needs the passphrase of an encrypted archive.
    guard !(progress is SilentProgress), case .file(let path) = source,
      let file = try? ArchiveFile(path: path, options: readerOptions())
    else { return nil }
    return file.index.entries.reduce(0) { total, entry in
      entry.attributes.objects.reduce(total) { $0 &+ max(0, $1.count) }
    }
  }
}
