package import CoreDataArchive

/// The content of a line of one table, for objects of one concrete entity: a flat list of steps
/// that is made once and run for every row.
///
/// The keys are stored together, ready to be copied (`"title":`), each after a comma, so that a member
/// that is not the first is one copy. A group is a step followed by the steps of its members, whose
/// number is ``Step/memberCount``.
///
/// A class: each row looks its plan up, and would keep every list of a value.
package final class LinePlan: Sendable {
  /// One member of a line.
  package struct Step: Sendable {
    /// The offset of the key in ``LinePlan/keys``; the comma is the byte before it.
    package var keyStart: Int32
    /// The length of the key, including quotes and colon.
    package var keyLength: Int32
    /// The form of the value.
    package var form: ValueForm
    /// The column of the value; -1 for a group.
    package var column: Int32
    /// The column with the destination's entity number; -1 if there is none.
    package var entityColumn: Int32 = -1
    /// The number of following steps that are members of this group.
    package var memberCount: Int32 = 0

    package init(
      keyStart: Int32, keyLength: Int32, form: ValueForm, column: Int32, entityColumn: Int32 = -1,
      memberCount: Int32 = 0
    ) {
      self.keyStart = keyStart
      self.keyLength = keyLength
      self.form = form
      self.column = column
      self.entityColumn = entityColumn
      self.memberCount = memberCount
    }
  }

  /// The encoded keys, each after a comma.
  package let keys: ContiguousArray<UInt8>
  /// The keys of the steps, for comparison when reading.
  package let names: [JSONKey]
  /// The steps in the order of the line.
  package let steps: ContiguousArray<Step>

  init(_ draft: Draft) { (keys, names, steps) = (draft.keys, draft.names, draft.steps) }

  /// The same plan as another object.
  init(copying plan: LinePlan) { (keys, names, steps) = (plan.keys, plan.names, plan.steps) }

  /// The steps of a plan while it is made.
  struct Draft {
    fileprivate var keys: ContiguousArray<UInt8> = []
    fileprivate var names: [JSONKey] = []
    fileprivate var steps: ContiguousArray<Step> = []
  }
}

extension LinePlan.Draft {
  mutating func add(key: String, form: ValueForm, column: Int, entityColumn: Int? = nil) {
    var step = makeStep(key: key, form: form)
    step.column = Int32(clamping: column)
    step.entityColumn = entityColumn.map { Int32(clamping: $0) } ?? -1
    steps.append(step)
  }

  /// Adds a nested object, whose members the closure adds.
  mutating func addGroup(key: String, members: (inout LinePlan.Draft) -> Void) {
    let position = steps.count
    steps.append(makeStep(key: key, form: .group))
    members(&self)
    steps[position].memberCount = Int32(clamping: steps.count - position - 1)
  }

  private mutating func makeStep(key: String, form: ValueForm) -> LinePlan.Step {
    let name = JSONKey(key)
    keys.append(UInt8(ascii: ","))
    let start = keys.count
    names.append(name)
    keys.append(contentsOf: name.text)
    return LinePlan.Step(
      keyStart: Int32(clamping: start), keyLength: Int32(clamping: keys.count - start),
      form: form, column: -1)
  }
}
