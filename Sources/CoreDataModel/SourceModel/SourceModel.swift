/// The source of a model: what stands in the file `contents` of a folder `.xcdatamodel`.
///
/// ```swift
/// let source = try SourceModel(model)
/// for departure in source.departures where departure.isLoss { … }
/// ```
public struct SourceModel: Sendable, Equatable {
  /// The bytes of the file `contents`, in UTF-8.
  public let contents: [UInt8]
  /// In what the model that is compiled from this source departs from the one it was made of, in the
  /// order of the entities; empty where the two are the same.
  public let departures: [SourceModelDeparture]

  /// Writes the source of a model.
  ///
  /// It is read again at once, and compared with the model: what a source has no place for, and what
  /// the compiler adds, is among the departures. Of a model that was read from a source there are
  /// none, but for fetch requests.
  ///
  /// - Throws: ``CofferError``: `damaged-model` for a model with names that no XML holds, or that
  ///   contradicts itself; `model-limit` for one beyond a bound of sources.
  public init(_ model: ManagedObjectModel) throws(CofferError) {
    contents = SourceModelWriter.contents(of: model)
    let found = try SourceModelReader.read(contents: contents)
    departures = SourceModelComparison.departures(of: found, from: model)
  }
}
