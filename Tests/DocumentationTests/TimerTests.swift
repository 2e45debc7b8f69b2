internal import Foundation
internal import TestSupport
internal import Testing

/// The files that start a backup every night equal the files of the recipe, and their readers accept them.
///
/// `DocumentedCommandTests` runs the commands that they start.
@Suite struct TimerTests {
  private static let script = "/usr/local/bin/coffer-backup"

  @Test(arguments: [
    "coffer-backup", "coffer-backup-all", "coffer-backup-ping", "cron/coffer-backup",
    "systemd/coffer-backup.service", "systemd/coffer-backup.timer",
    "systemd/coffer-alert.service", "launchd/org.coffer.backup.plist",
    "kubernetes/coffer-backup.yaml",
  ])
  func theFileIsThatOfTheRecipe(_ path: String) throws {
    let text = try Repository.text("packaging/\(path)")
    let blocks = try MarkdownPage("docs/recipes.md").blocks.map(\.text)
    let isScript = !path.contains("/")
    #expect(
      isScript
        ? blocks.contains { $0.contains("<<'SCRIPT'\n\(text)SCRIPT\n") }
        : blocks.contains(text))
    let word =
      path.hasSuffix(".timer") ? "Timer" : path.contains("alert") ? "journalctl" : Self.script
    #expect(isScript || text.contains(word))
  }

  @Test(.enabled(if: ProcessRunner.find("systemd-analyze") != nil, "systemd is not installed"))
  func theUnitsAreSound() throws {
    let folder = try TemporaryDirectory()
    for name in ["coffer-backup.service", "coffer-backup.timer", "coffer-alert.service"] {
      try Repository.text("packaging/systemd/\(name)").replacing(Self.script, with: "/bin/true")
        .write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    }
    let program = try #require(ProcessRunner.find("systemd-analyze"))
    let result = try ProcessRunner(program).run(
      [
        "verify", "--man=no", folder.file("coffer-backup.timer"),
        folder.file("coffer-alert.service"),
      ])
    #expect(result.status == 0)
    let complaints = result.errorOutput.split(separator: "\n").filter {
      $0.contains("coffer-")
    }
    #expect(complaints == [])
  }

  @Test func thePropertyListStartsTheScriptEveryNight() throws {
    let text = try Repository.text("packaging/launchd/org.coffer.backup.plist")
    let list = try unsafe PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
    let keys = try #require(list as? [String: Any])
    #expect(keys["Label"] as? String == "org.coffer.backup")
    #expect(keys["ProgramArguments"] as? [String] == [Self.script])
    #expect(keys["StartCalendarInterval"] as? [String: Int] == ["Hour": 3, "Minute": 0])
  }

  /// Reads a file of YAML and writes it as JSON; 9 where Python cannot read YAML.
  private static let reader = """
    import json, sys
    try: import yaml
    except ImportError: sys.exit(9)
    print(json.dumps(yaml.safe_load(open(sys.argv[1]))))
    """

  @Test(.enabled(if: ProcessRunner.find("python3") != nil, "needs python3"))
  func theCronJobIsOneAtATimeAndMountsWhatItStarts() throws {
    let python = try #require(ProcessRunner.find("python3"))
    let path = Repository.root.appendingPathComponent("packaging/kubernetes/coffer-backup.yaml")
    let result = try ProcessRunner(python).run(["-c", Self.reader, path.path])
    guard result.status != 9 else { return }
    let value = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    func member(_ value: Any?, _ keys: String...) -> Any? {
      keys.reduce(value) { ($0 as? [String: Any])?[$1] }
    }
    #expect(member(value, "kind") as? String == "CronJob")
    #expect(member(value, "spec", "concurrencyPolicy") as? String == "Forbid")
    let job = member(value, "spec", "jobTemplate", "spec")
    #expect(member(job, "backoffLimit") as? Int == 0)
    let pod = member(job, "template", "spec")
    #expect(member(pod, "restartPolicy") as? String == "Never")
    let container = (member(pod, "containers") as? [Any])?.first
    #expect(member(container, "command") as? [String] == [Self.script])
    let mounts = try #require(member(container, "volumeMounts") as? [[String: String]])
    #expect(mounts.contains { $0["mountPath"] == Self.script })
    let volumes = try #require(member(pod, "volumes") as? [[String: Any]])
    #expect(
      Set(volumes.compactMap { $0["name"] as? String }) == Set(mounts.compactMap { $0["name"] }))
  }
}
