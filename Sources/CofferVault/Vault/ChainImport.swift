internal import CofferCore
internal import CofferEditing
internal import CoreDataModel
internal import Dispatch
internal import POSIX
internal import Synchronization

/// Imports the state of a chain while another thread puts it together, so that no archive of the state is
/// written in between.
struct ChainImport {
  /// The full archive, then its changes.
  let chain: [Backup]
  let files: VaultFiles
  let importer: StoreImporter

  /// Imports the state.
  func run(to store: String, named name: String) throws -> ImportSummary {
    let paths = try files.paths(of: chain)
    let result: Result<ImportSummary, any Error>
    let writing: Writing
    do {
      let pipe = try FileIO.pipe()
      // One that fails leaves its reader without the end of an archive, or its writer without a reader.
      defer { FileIO.close(pipe.reader) }
      writing = Writing(paths, to: pipe.writer, files.environment, chain[0].name.compression)
      try writing.start()
      result = Result {
        try importer.import(pipe: pipe.reader, named: name, sizedAs: paths[0], to: store)
      }
    } catch {
      throw CofferError(.readFailed, path: name, error)
    }
    let cause = writing.wait()
    do {
      return try result.get()
    } catch let error as CofferError {
      try Task<Never, Never>.checkCancellation()
      if let cause, cause.code != .outputClosed { throw files.explained(cause) }
      // Bytes that were copied unchanged have not been checked before: the chain names the damaged file.
      if error.isOfDamagedBackup { try files.read(chain) { try $0.verify() } }
      throw error
    }
  }
}

/// The thread that puts a state together, and writes its archive to a pipe.
private final class Writing: Sendable {
  private let paths: [String]
  private let descriptor: Int32
  private let environment: WorkEnvironment
  private let options: ChainOptions
  private let error = Mutex<CofferError?>(nil)
  private let end = DispatchSemaphore(value: 0)

  /// Writes to a pipe, which is closed at the end.
  init(
    _ paths: [String], to descriptor: Int32, _ environment: WorkEnvironment,
    _ compression: ArchiveCompression
  ) {
    (self.paths, self.descriptor, self.environment) = (paths, descriptor, environment)
    var options = ChainOptions(
      compression: compression, level: compression.levels.lowerBound, threads: 0,
      reusesMembers: true)
    // The reader of the pipe checks all.
    options.leavesDigests = true
    self.options = options
  }

  func start() throws(SystemError) {
    do {
      try SystemThread.start { self.run() }
    } catch {
      FileIO.close(descriptor)
      throw error
    }
  }

  private func run() {
    do {
      try BackupChain(
        full: paths[0], changes: Array(paths.dropFirst()), environment: environment
      ).write(to: .fileDescriptor(descriptor), options: options)
    } catch {
      // Nothing else can be thrown by a thread that belongs to no task.
      let failure = error as? CofferError
      self.error.withLock { $0 = failure }
    }
    FileIO.close(descriptor)
    end.signal()
  }

  /// Waits for the end of the thread; returns why the archive is not complete, or nil if it is.
  func wait() -> CofferError? {
    end.wait()
    return error.withLock { $0 }
  }
}
