internal import Foundation
internal import Testing

@testable internal import AgeEncryption

/// Files that the program `age` (1.1.1, Debian) wrote, with the keys that it made for them.
enum AgeSamples {
  /// The content of all of them but the empty one.
  static let plain = Array("Trips and notes\n".utf8)
  /// The passphrase of ``passphraseFile``.
  static let passphrase = Array("correct horse battery staple".utf8)

  static let firstKey = "AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZET"
  static let firstRecipient = "age1teaumv5e573rykespqm053dglg7ns724kus43r5qsn3hpnqaxslqpezme7"
  static let secondKey =
    "AGE-SECRET-KEY-1DRESGZY8Y79P0JL94URWPA6VD9QHXGWH5ETP2E96DEX2GEQ97RDSV083RJ"
  static let secondRecipient = "age1x4dsly0cyvhxp4fxmuzq7m6gxl8gmskc8f2kqp64f6uq8y00hsnqq79d2d"

  /// Nothing, for the first key.
  static let emptyFile = bytes(
    """
    YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSB6aGdIUEVxZVFCd213dE9BcXlnWXhsSHFseDRa\
    TlRkc2VFaTNJb1p0UjM0CnkxS2YzU051blpSSmVmaGtrWk9LaGxrQjY4TnBkQXp5NEhyalBTYnhQOEEK\
    LS0tIDhhTlNrL1EwS285cW9QRjhxKzJlbWhFUm1oR0svTi9wUmdSVlgvQUJvb3cK7Pn0LjIU7tbGbzw+\
    8leWHDy1RGjeToUo8ZpNYyQkukU=
    """)
  /// For the first key.
  static let file = bytes(
    """
    YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBRZTk0a00wRDVINERrSXBzb2pYUmtlOFFWUU5r\
    RDFxZVJrOUR1NHBoWWdZCktncUhSNUNORjZXUlE1cHI5Y2QyZzUvTUpJM0ZCaU5UZTZSR3B4ZitQM2cK\
    LS0tIHl2OEVjaVpuaXhFNG9VdWYzMCtkUFNqalZjNHd5ems5S1dPRWNKcWp0MjgK/RV5VMC72n4ORCyC\
    aX5zXi6RFWW9AUQmybQ//vBuqjJ5aNoB2FKFz0lwlA054vDZ
    """)
  /// For the second key and then the first.
  static let fileForTwo = bytes(
    """
    YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSA1cEFiRXNRV0ZjMUNZdG9yTFViSU9KQWtSdktW\
    VzVmTldUS0ZpcGxXR1N3CkRodVloeHRsRFAvU3RxUVJsenZJV2c1cC90OFRKNWM1emVnT25KelBla1kK\
    LT4gWDI1NTE5IHkwN0NlcXE0cTBGSmdSaURnWElIeG1BMXdYY1ZYV1U0Uk1VeHJVT3NoQ0kKMlJGOVdY\
    MFk3Sk5Qc1hqNlNqcnByd1hscXA2Y2N3UGpxZjlKWmZ0MHZpNAotLS0gRVZ0WTFJQU1FNGcxWXdxcTU5\
    dy9YTTNDN2ZoTEhiMkd5QXBoR3preDA5WQpkKpAp4agB/s/49bTL/WUsaxNEbYMQ6FsWxhP5DIgCSbW7\
    b5pLppojGRGUNDi0zus=
    """)
  /// For the first key and one of SSH.
  static let fileForSSH = bytes(
    """
    YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBTQlltNXlYWHZWMjRXK0Vsb0JPcE9HMkQ1M2E5\
    Mi9JWThwdE1JcWg2c1Y4CkI1ejRlSUwyQlBILzVQSGN2UDY0WEIzQzlMZXhiQWdlWDI4SW5BVUI1eVUK\
    LT4gc3NoLWVkMjU1MTkgQUZuQXVRICtuckZGejNPbytiZHRBbEZMeW1tWU4wOWtRR0svYXdNeC9Od09U\
    YmhYRkkKRkMwS1RwSkRpUVBqUkQvVDRRUWMwQk5GUzVVZEhjLzArSHRHVTBnVC9YbwotLS0gejhLc3NB\
    OFRJczMwNGdQMDlpOTlaTUtmT3ZXODcrVC9aTkwzK0o4UFlWbwql02m1Qr0h+g56DlTsEsmxZFWKFJhd\
    RXFkQglcU0pLBfzWm+/TZCQ19Q1c0OK6WnY=
    """)
  /// With a passphrase, and the work factor 18.
  static let passphraseFile = bytes(
    """
    YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBPc1c0U0FOSVRRRFlOcEJ0SklSNWtBIDE4Clpz\
    emViRTdHbTZ6Mmk3M21tVmZGQTcrU2NwbU16YzJtQm5FMitTMnNKelUKLS0tIFFha2ZEY2ZTMGQwNC9p\
    ZExRWjlkdmhxZzM2WkE0eE1mbkNUSWx2UU9seHcKdfQHq4ko0GZvBUKsxlKr69RYiyXevGe8/vLWoElL\
    /nKZBkpb4SD595Zc56K5nr7F
    """)

  private static func bytes(_ text: String) -> [UInt8] {
    Array(Data(base64Encoded: text) ?? Data())
  }
}
