internal import CoreDataArchive
internal import CoreDataModel

/// What a line of one table holds, for objects of one concrete entity: a flat list of steps that is
/// made once and then run for every row.
///
/// Keys stand ready to be copied (`"title":`) in one run of bytes. A group is one step followed by
/// the steps of its members; their count stands in ``Step/memberCount``.
struct LinePlan {
  /// One member of a line.
  struct Step {
    /// Where the key begins in ``LinePlan/keys``.
    var keyStart: Int32
    /// How long the key is, with its quotes and colon.
    var keyLength: Int32
    /// How the value is written.
    var form: ValueForm
    /// The column of the value; -1 for a group.
    var column: Int32
    /// The column with the number of the destination's entity; -1 when there is none.
    var entityColumn: Int32 = -1
    /// How many of the steps that follow are members of this group.
    var memberCount: Int32 = 0
  }

  /// The keys as they are written, one after the other.
  private(set) var keys: ContiguousArray<UInt8> = []
  /// The keys of the steps, for a reader that compares them.
  private(set) var names: [JSONKey] = []
  /// The steps in the order of the line.
  private(set) var steps: ContiguousArray<Step> = []

  /// Adds a value.
  mutating func add(key: String, form: ValueForm, column: Int, entityColumn: Int? = nil) {
    var step = makeStep(key: key, form: form)
    step.column = Int32(clamping: column)
    step.entityColumn = entityColumn.map { Int32(clamping: $0) } ?? -1
    steps.append(step)
  }

  /// Adds an object of its own whose members the closure adds.
  mutating func addGroup(key: String, members: (inout LinePlan) -> Void) {
    let position = steps.count
    steps.append(makeStep(key: key, form: .group))
    members(&self)
    steps[position].memberCount = Int32(clamping: steps.count - position - 1)
  }

  private mutating func makeStep(key: String, form: ValueForm) -> Step {
    let start = keys.count
    let name = JSONKey(key)
    names.append(name)
    keys.append(contentsOf: name.text)
    return Step(
      keyStart: Int32(clamping: start), keyLength: Int32(clamping: keys.count - start),
      form: form, column: -1)
  }
}
