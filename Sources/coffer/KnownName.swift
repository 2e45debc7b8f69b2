internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// Parses names of checks and codes on the command line.
///
/// An unknown name is invalid usage.
enum KnownName {
  static func check(_ text: String) throws -> CheckName {
    if let check = CheckName.allCases.first(where: { $0.rawValue == text }) { return check }
    if let code = FindingCode(text: text) {
      throw ValidationError("'\(text)' is a code; its check is '\(code.check.rawValue)'.")
    }
    throw unknown("check", text, CheckName.allCases.map(\.rawValue))
  }

  static func code(_ text: String) throws -> FindingCode {
    if let code = FindingCode(text: text) { return code }
    if CheckName(rawValue: text) != nil {
      throw ValidationError("'\(text)' is a check, not a code. \(listHint)")
    }
    throw unknown("code", text, FindingCode.allCases.map(\.text))
  }

  private static let listHint = "To list all, run 'coffer verify --list'."

  private static func unknown(_ kind: String, _ text: String, _ names: [String]) -> ValidationError
  {
    let guess = SimilarName.nearest(to: text, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return ValidationError("Unknown \(kind) '\(text)'.\(guess) \(listHint)")
  }
}
