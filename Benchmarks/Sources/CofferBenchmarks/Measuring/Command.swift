/// A command line to be measured: one program, or several in a pipeline.
struct Command {
  /// What it is called in the tables.
  let name: String
  /// The programs with their arguments, from the first to the last of the pipeline.
  let steps: [[String]]
  /// The file that standard input of the first one comes from; nil means none.
  var input: String?
  /// The file that standard output of the last one goes to; nil means nowhere.
  var output: String?
  /// The file that the command writes, which is removed before it runs.
  var product: String?
  /// The folder that the command adds files to, whose growth is what it writes.
  var growing: String?
  /// The statuses that mean that all the work was done.
  var statuses: Set<Int32> = [0]

  /// A command whose last step writes its output to a file.
  static func writing(_ name: String, _ steps: [[String]], to output: String) -> Command {
    Command(name: name, steps: steps, output: output, product: output)
  }
}
