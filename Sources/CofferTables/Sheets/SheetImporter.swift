public import CofferCore
internal import CoreDataDesign
package import CoreDataModel
internal import CoreDataStore
internal import POSIX

/// Makes a store of tables: of files of comma-separated values or lines of JSON, or of a database.
///
/// ```swift
/// let options = SheetImportOptions(model: "Trips.momd")
/// try await SheetImporter(options: options).import("Tables", to: "Trips.sqlite")
/// ```
///
/// The store appears only when it is complete and verified. The tables of a data export give the same
/// objects again; docs/data-import.md describes the format of other tables.
public struct SheetImporter: Sendable {
  /// The options.
  public var options: SheetImportOptions
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates an importer.
  public init(options: SheetImportOptions, progress: any ProgressReporter = SilentProgress()) {
    self.options = options
    self.progress = progress
  }

  /// Whether a path contains tables: a folder, or a file with the extension of a text table.
  ///
  /// A database with tables may be a store as well, for all that its name says.
  public static func isTable(_ path: String) -> Bool {
    (try? isFolder(path)) == true || SheetFile.format(ofName: path) != nil
  }

  /// Creates a store from tables on the caller's thread.
  @discardableResult
  package func `import`(_ tables: String, to store: String) throws -> SheetImportSummary {
    var creation = CreationOptions(modelVersion: options.modelVersion)
    creation.otherModels = options.otherModels
    creation.environment = options.environment
    creation.environment.storeAccess = .inPlace
    let founding = try StoreCreator(options: creation).founding(options.model, at: store)
    let model = founding.builder.design.model
    let (files, folder) = try Self.find(tables, of: model, options.tables)
    return try SheetImportRun.complete(
      founding, at: store, folder: folder, options, progress: progress
    ) { placement in
      try Self.keepingInput(files, at: placement.path(inWorkingFolder: "input"))
    }
  }

  /// Finds tables, and the folder of relative paths in them.
  private static func find(
    _ tables: String, of model: ManagedObjectModel, _ options: SheetOptions
  ) throws -> (files: [SheetFile], folder: String) {
    let files = try SheetFiles(model, options).find(at: tables)
    return (files, try isFolder(tables) ? tables : StorePaths.folder(of: tables))
  }

  /// Finds tables, and copies standard input.
  ///
  /// - Parameters:
  ///   - path: a folder, a file, or `-` for standard input.
  ///   - model: the model whose objects they have.
  ///   - options: how they are read.
  ///   - input: the path for standard input.
  /// - Returns: the tables, and the folder of relative paths in them.
  /// - Throws: the errors of ``SheetFiles``; `CofferError` with `read-failed`.
  package static func files(
    at path: String, of model: ManagedObjectModel, _ options: SheetOptions, keeping input: String
  ) throws -> (tables: [SheetFile], folder: String) {
    let (files, folder) = try find(path, of: model, options)
    return (try keepingInput(files, at: input), folder)
  }

  private static func keepingInput(
    _ files: [SheetFile], at path: String
  ) throws(CofferError) -> [SheetFile] {
    try files.map { file throws(CofferError) in
      guard file.path == "-" else { return file }
      var file = file
      file.path = try keepInput(at: path)
      file.place = "standard input"
      return file
    }
  }

  private static func isFolder(_ path: String) throws -> Bool {
    path != "-" ? try FileNames.kind(of: path) == .folder : false
  }

  /// Copies standard input to a file, because the place of an error is found in a second reading.
  private static func keepInput(at path: String) throws(CofferError) -> String {
    do throws(SystemError) {
      let descriptor = try FileIO.create(path, mode: 0o600)
      defer { FileIO.close(descriptor) }
      var piece = [UInt8](repeating: 0, count: 1 << 18)
      while true {
        var failure: SystemError?
        let count = unsafe piece.withUnsafeMutableBytes { room in
          do throws(SystemError) {
            let count = unsafe try FileIO.read(0, into: room)
            unsafe try FileIO.writeAll(descriptor, UnsafeRawBufferPointer(rebasing: room[..<count]))
            return count
          } catch {
            failure = error
            return 0
          }
        }
        if let failure { throw failure }
        if count == 0 { return path }
      }
    } catch {
      throw CofferError(.readFailed, path: "standard input", detail: error.text)
    }
  }
}

extension SheetImporter {
  /// Makes a store of tables.
  ///
  /// - Parameters:
  ///   - tables: a folder, a file, or `-` for standard input, whose entity ``SheetOptions/files``
  ///     names.
  ///   - store: the path of the store.
  /// - Returns: the summary of the import.
  /// - Throws: `CofferError`: `invalid-table` for the first thing in the tables that is wrong, with its
  ///   place; the errors of ``StoreCreator`` for the model and the place of the store; `not-found`,
  ///   `read-failed`, `write-failed`; `CancellationError`. Nothing remains of an incomplete store.
  @discardableResult
  public func `import`(_ tables: String, to store: String) async throws -> SheetImportSummary {
    try await BackgroundWork.run(progress) { try self.import(tables, to: store) }
  }
}
