internal import ArgumentParser

/// How a model is written.
enum ModelFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// Text for people.
  case text
  /// One document of JSON: the model as an archive holds it.
  case json
  /// The source that Xcode opens.
  case xcdatamodel
  /// A diagram in the language of Mermaid.
  case mermaid
  /// A diagram in the language DOT of Graphviz.
  case dot
  /// A drawing.
  case svg

  /// What it is, as a message says it.
  var words: String {
    switch self {
    case .text: "text"
    case .json: "JSON"
    case .xcdatamodel: "source"
    case .mermaid, .dot: "diagram"
    case .svg: "drawing"
    }
  }
}
