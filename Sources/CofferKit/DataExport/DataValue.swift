/// A value on its way to an output; bytes are lent by the row.
@safe enum DataValue {
  /// None.
  case none
  /// An integer.
  case integer(Int64)
  /// A floating point number.
  case real(Double)
  /// A truth value.
  case boolean(Bool)
  /// Seconds since 2001 as the store has them.
  case date(Double)
  /// Whole seconds since 2001.
  case wholeDate(Int64)
  /// 16 bytes.
  case uuid(UnsafeRawBufferPointer)
  /// A text, which need not be valid.
  case text(UnsafeRawBufferPointer)
  /// Bytes.
  case bytes(UnsafeRawBufferPointer)
  /// The 36 characters of the name of a file of external binary data.
  case file(UnsafeRawBufferPointer)
  /// The entity of a number.
  case entity(Int64)
}
