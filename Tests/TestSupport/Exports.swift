// Tests that need a store to work on get the generator with this module.
@_exported public import StoreGenerator
