internal import CofferKit

extension FindingCode {
  /// The remedy, with the command that helps.
  func remedyText(_ store: String? = nil) -> String {
    [remedy, commandText(store) ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The command that helps, with its purpose; nil if there is none.
  func commandText(_ store: String? = nil) -> String? {
    tool.map { "\($0.purpose): \($0.command(store.map(Terminal.printable) ?? "STORE"))" }
  }

  /// The fix's kind, and the command that makes it.
  var fixText: String {
    let maker = fix.kind == .none ? "" : fix.isAutomatic ? " by coffer repair" : " by hand"
    return fix.kind.rawValue + maker
  }
}

extension FindingTool {
  fileprivate var purpose: String {
    switch self {
    case .rescue: "To make a working store of everything readable"
    case .rescueWithModel: "To make a working store with the app's model"
    case .comparison: "To compare two states"
    case .inspection: "To see the missing parts"
    case .decision: "To set it to a value of your choice"
    case .deduplication: "To merge them"
    case .compaction: "To remove them all"
    case .creation: "To make a new store of the model"
    }
  }

  func command(_ store: String = "STORE") -> String {
    switch self {
    case .rescue: "coffer rescue \(store) --output NEW"
    case .rescueWithModel: "coffer rescue \(store) --output NEW --model MODEL"
    case .comparison: "coffer diff OLD NEW"
    case .inspection: "coffer inspect --verbose FILE"
    case .decision: "coffer repair \(store) --set ENTITY.ATTRIBUTE=VALUE"
    case .deduplication: "coffer dedupe \(store) --match ENTITY=PROPERTY"
    case .compaction: "coffer compact \(store) --undo FILE"
    case .creation: "coffer create MODEL NEW"
    }
  }
}
