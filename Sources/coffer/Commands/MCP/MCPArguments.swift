internal import CoreDataArchive
internal import CoreDataModel

/// The arguments of a call, checked against the parameters of its tool.
struct MCPArguments {
  private var values: [String: JSONValue] = [:]

  /// Checks arguments, and resolves paths.
  ///
  /// - Throws: ``CofferError``: `refused` for a missing, unknown or wrong argument; `not-found` for a file
  /// that may not be read.
  init(_ given: JSONObject, of tool: MCPTool, in places: MCPPlaces) throws(CofferError) {
    for member in given.members {
      guard let parameter = tool.parameters.first(where: { $0.name == member.key }) else {
        throw Self.fault(tool, "there is no argument '\(member.key)'")
      }
      switch (parameter.kind, member.value) {
      case (_, .null): continue
      case (.file, .string(let text)): values[member.key] = .string(try places.path(text))
      case (.integer, .integer(0)) where member.key == MCPTool.limit.name:
        throw Self.fault(tool, "'\(member.key)' must be at least 1")
      case (.text, .string), (.integer, .integer(0...)): values[member.key] = member.value
      case (.texts, .array(let elements))
      where elements.allSatisfy({ if case .string = $0 { true } else { false } }):
        values[member.key] = member.value
      default:
        throw Self.fault(tool, "'\(member.key)' is not of the type \(parameter.kind.typeName)")
      }
    }
    let missing = tool.parameters.first { $0.isRequired && values[$0.name] == nil }
    if let missing { throw Self.fault(tool, "the argument '\(missing.name)' is missing") }
  }

  /// A text; empty if it is not given.
  func text(_ name: String) -> String {
    if case .string(let text)? = values[name] { text } else { "" }
  }

  /// An option with the value of an argument; nothing if it is not given.
  func option(_ option: String, _ name: String) -> [String] {
    switch values[name] {
    case .string(let text): ["\(option)=\(text)"]
    case .integer(let number): ["\(option)=\(number)"]
    case .array(let elements):
      elements.compactMap { if case .string(let text) = $0 { "\(option)=\(text)" } else { nil } }
    default: []
    }
  }

  /// Texts; empty if they are not given.
  func texts(_ name: String) -> Set<String> {
    guard case .array(let elements)? = values[name] else { return [] }
    return Set(elements.compactMap { if case .string(let text) = $0 { text } else { nil } })
  }

  /// The lines of the answer to show.
  func page(of tool: MCPTool) -> MCPAnswer.Page {
    MCPAnswer.Page(
      offset: integer(MCPTool.offset.name) ?? 0,
      limit: integer(MCPTool.limit.name) ?? (tool.isPaged ? MCPTool.usualCount : nil),
      isCounted: !tool.isLimited)
  }

  /// The option for the maximum number of results: the results of the page and the earlier ones.
  func limit() -> [String] {
    let limit = integer(MCPTool.limit.name) ?? MCPTool.usualCount
    let sum = limit.addingReportingOverflow(integer(MCPTool.offset.name) ?? 0)
    return ["--limit=\(sum.overflow ? .max : sum.partialValue)"]
  }

  private func integer(_ name: String) -> Int? {
    if case .integer(let number)? = values[name] { Int(clamping: number) } else { nil }
  }

  private static func fault(_ tool: MCPTool, _ detail: String) -> CofferError {
    CofferError(.refused, path: tool.name, detail: detail)
  }
}
