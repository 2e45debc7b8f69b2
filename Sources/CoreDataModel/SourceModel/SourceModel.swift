/// The source of a model: the content of the file `contents` in an `.xcdatamodel` folder.
///
/// ```swift
/// let source = try SourceModel(model)
/// for departure in source.departures where departure.isLoss { … }
/// ```
public struct SourceModel: Sendable, Equatable {
  /// The bytes of the file `contents`, in UTF-8.
  public let contents: [UInt8]
  /// How the model compiled from this source differs from the original, in the order of the
  /// entities; empty if the two are equal.
  public let departures: [SourceModelDeparture]

  /// Writes the source of a model.
  ///
  /// The source is read again at once and compared with the model. Whatever a source cannot
  /// express, and whatever the compiler adds, is among the departures. For a model read from a
  /// source there are none, except for fetch requests.
  ///
  /// - Throws: ``CofferError``: `damaged-model` for a model with names that XML cannot contain, or
  ///   that contradicts itself; `model-limit` for a model beyond a limit of sources.
  public init(_ model: ManagedObjectModel) throws(CofferError) {
    contents = SourceModelWriter.contents(of: model)
    let found = try SourceModelReader.read(contents: contents)
    departures = SourceModelComparison.departures(of: found, from: model)
  }
}
