/// A value on its way to an output; bytes are borrowed from the row.
@safe enum DataValue {
  /// None.
  case none
  /// An integer.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A Boolean.
  case boolean(Bool)
  /// Seconds since 2001, as stored.
  case date(Double)
  /// Whole seconds since 2001.
  case wholeDate(Int64)
  /// 16 bytes.
  case uuid(UnsafeRawBufferPointer)
  /// A string, which may be invalid.
  case text(UnsafeRawBufferPointer)
  /// Bytes.
  case bytes(UnsafeRawBufferPointer)
  /// The 36 characters of the file name of external binary data.
  case file(UnsafeRawBufferPointer)
  /// The entity with a number.
  case entity(Int64)
}
