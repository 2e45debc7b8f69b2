internal import ArgumentParser
internal import CofferKit

/// The options of `show` that arrange objects.
struct ShowArguments: ParsableArguments {
  @Option(
    name: .customLong("sort"),
    // A property may have a minus before it.
    parsing: .unconditionalSingleValue,
    help: .value(
      "property", "Sort by this property; -PROPERTY sorts in descending order; repeatable."))
  var sorted: [String] = []

  @Option(
    help: .value(
      "property,...",
      "Show only these properties, separated by commas; tags.@count shows a number of objects."),
    completion: .property)
  var columns: String?

  @Flag(help: "Show binary data only as its size; with --output-folder, write .bin files.")
  var raw = false

  @Flag(help: "Show only the number of objects.")
  var count = false

  @Option(
    help: .value("property", "Show how many objects have each value of this property; repeatable."))
  var groupBy: [Name] = []

  @Option(help: .value("property", "Show each value of this property once; repeatable."))
  var distinct: [Name] = []

  func validate() throws {
    let chosen = [
      (count, "--count"), (!groupBy.isEmpty, "--group-by"), (!distinct.isEmpty, "--distinct"),
      (!sorted.isEmpty || columns != nil, sorted.isEmpty ? "--columns" : "--sort"),
    ].filter(\.0).map(\.1)
    if chosen.count > 1 {
      throw ValidationError("'\(chosen[0])' and '\(chosen[1])' cannot be combined.")
    }
  }

  /// Whether no option is given.
  var isEmpty: Bool {
    sorted.isEmpty && columns == nil && groupNames == nil
  }

  var sortKeys: [ObjectSortKey] {
    sorted.map { name in
      name.hasPrefix("-")
        ? ObjectSortKey(Name(String(name.dropFirst())), isDescending: true)
        : ObjectSortKey(Name(name))
    }
  }

  /// The properties to show; empty for all.
  var columnNames: [Name] {
    (columns ?? "").split(separator: ",").map { name in
      Name(String(name.drop(while: \.isWhitespace)))
    }
  }

  /// The properties whose values are counted; nil if objects are shown.
  var groupNames: [Name]? {
    if count { return [] }
    return groupBy.isEmpty ? (distinct.isEmpty ? nil : distinct) : groupBy
  }
}
