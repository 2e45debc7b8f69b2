/// The way from one version of a model to another, where the versions have an order.
///
/// A store goes from version to version as an app that is updated does: forward, through those
/// between. A version outside of the two would lose what it lacks, and add what no one requested.
package enum VersionRoute {
  /// The most versions between two that are looked through.
  private static let limit = 200

  /// The fewest steps from a version to another.
  ///
  /// - Parameters:
  ///   - source: the position of the first version.
  ///   - destination: that of the last, which may stand before the first: then there is no way but one step.
  ///   - isPossible: whether a step from one version to another can be inferred.
  /// - Returns: the positions from the first to the last; nil if there is no path.
  /// - Throws: errors from `isPossible`.
  package static func shortest<E: Error>(
    from source: Int, to destination: Int, isPossible: (Int, Int) throws(E) -> Bool
  ) throws(E) -> [Int]? {
    if try isPossible(source, destination) { return [source, destination] }
    guard destination > source + 1, destination - source < limit else { return nil }
    var ways = [[source]]
    var reached: Set<Int> = [source]
    while !ways.isEmpty {
      var longer: [[Int]] = []
      for way in ways {
        guard let last = way.last else { continue }
        for next in (last + 1)...destination where !reached.contains(next) {
          guard try isPossible(last, next) else { continue }
          if next == destination { return way + [next] }
          reached.insert(next)
          longer.append(way + [next])
        }
      }
      ways = longer
    }
    return nil
  }
}
