internal import BackupPlaces
internal import CoreDataModel

extension FuzzTarget {
  /// What an object store answers.
  static let s3Answers = FuzzTarget(
    "s3-answers", "the XML of an object store; an element is written as it was read",
    maximumSize: 1 << 14,
    words: [
      "<?xml version=\"1.0\"?>", "<Key>", "</Key>", "<Contents>", "</Contents>", "<Error><Code>",
      "&amp;", "&#x41;", "&#0;", "<!DOCTYPE a [<!ENTITY x \"y\">]>", "<![CDATA[", "<!--", "/>",
      "a='>'",
    ],
    seeds: {
      [
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>false</IsTruncated>
        <EncodingType>url</EncodingType><Contents><Key>a%20b</Key><Size>1</Size>
        <LastModified>2026-11-22T03:15:00.000Z</LastModified></Contents></ListBucketResult>
        """,
        "<Error><Code>SlowDown</Code><Message>a &lt; b</Message></Error>",
        "<a>" + String(repeating: "<b>", count: 7) + String(repeating: "</b>", count: 7) + "</a>",
      ].map { Array($0.utf8) }
    }
  ) { input in
    guard let element = try? MarkupElement.parse(input, limits: .answer) else { return }
    let again = try MarkupElement.parse(Array(text(element).utf8), limits: .answer)
    try hold(isSame(again, element), "it reads otherwise")
  }

  /// Whether elements are the same, on whichever lines they stand.
  private static func isSame(_ first: MarkupElement, _ second: MarkupElement) -> Bool {
    first.name == second.name && first.attributes == second.attributes
      && first.text == second.text && first.children.count == second.children.count
      && zip(first.children, second.children).allSatisfy(isSame)
  }

  private static func text(_ element: MarkupElement) -> String {
    let text = XMLText.escaped(element.text)
    let children = element.children.map { Self.text($0) }.joined()
    let attributes = element.attributes.map { ($0.key, $0.value) }
    return "\(XMLText.tag(element.name, attributes))>\(text)\(children)</\(element.name)>"
  }

  /// Files of settings of the AWS tools.
  static let awsProfiles = FuzzTarget(
    "aws-profiles", "files of profiles of the AWS tools: settings, or an error with a code",
    maximumSize: 1 << 14,
    words: [
      "[default]", "[profile a]", "[services s]", "aws_access_key_id=", "aws_secret_access_key=",
      "aws_session_token=", "s3 =", "\n  endpoint_url = ", "region=", "services = s", "#", ";",
      "\r\n",
      "https://", "ca_bundle=", "credential_process=", "s3.addressing_style",
    ],
    seeds: {
      [
        """
        [default]
        aws_access_key_id = ID
        aws_secret_access_key = SECRET
        region = eu-central-1
        services = here
        s3 =
          addressing_style = path
        # a comment
        [services here]
        s3 =
          endpoint_url = https://127.0.0.1:9000/a
        [profile "other"]
        sso_session = x
        """
      ].map { Array($0.utf8) }
    }
  ) { input in
    for (name, settings) in AWSProfileFile(String(decoding: input, as: UTF8.self)).sections {
      let texts = [name] + settings.flatMap { [$0.key, $0.value] }
      try hold(!texts.contains { $0.contains(where: \.isNewline) }, "a line break is in a setting")
    }
    let path = try FuzzFolder.current().write(input)
    _ = try S3Settings(
      environment: ["AWS_CONFIG_FILE": path, "AWS_SHARED_CREDENTIALS_FILE": path],
      for: S3Address("s3://bucket/vault"))
  }
}
