public import ArgumentParser
public import CoreDataModel

/// A name as the command line has it, byte for byte.
extension Name: ExpressibleByArgument {
  /// Takes the argument unchanged.
  public init?(argument: String) { self.init(argument) }
}
