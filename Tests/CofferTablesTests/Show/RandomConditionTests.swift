internal import Testing

/// Conditions made up at random choose the objects that a plain evaluator chooses.
@Suite struct RandomConditionTests {
  @Test func conditionsChooseWhatAPlainEvaluatorChooses() throws {
    var random = RandomCondition(seed: 21)
    let objects = (0..<60).map { _ in random.object() }
    let sample = try ConditionSample(objects.map { ($0.entity, $0.values) })
    let conditions = (0..<600).map { _ in random.condition() }
    let expected = conditions.map { condition in
      objects.indices.filter { condition.holds(objects[$0].object) }.map { Int64($0 + 1) }
    }
    for found in try sample.keys(conditions.map(\.text)) {
      for (number, condition) in conditions.enumerated() {
        #expect(found[number] == expected[number], "\(condition.text)")
      }
    }
    let chosen = expected.filter { !$0.isEmpty && $0.count < objects.count }.count
    #expect(chosen > 300, "most conditions choose none or all")
  }
}
