"""An S3 service on this machine for tests: moto, behind a front that checks signatures and makes faults.

Prints the ports of HTTP and HTTPS, and the path of the certificate, on one line; ends with its parent.
The bucket `vaults` is there. The front knows these beginnings of paths:

    /faults-SEED/…   some requests are refused, cut, answered twice, late or not at all

Everything else is served as it comes. Objects with `/aged/` in their keys that end with `.forgotten` are 31 days
old as soon as they are there. Requests whose signature botocore would not have made are refused.
"""

import datetime
import hashlib
import ipaddress
import os
import random
import socket
import sys
import threading
import time
from urllib.parse import unquote

os.environ["MOTO_S3_CUSTOM_ENDPOINTS"] = ""

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from moto.core import DEFAULT_ACCOUNT_ID
from moto.s3.models import s3_backends
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

# The secret begins like a text that no message may show.
KEY, SECRET, TOKEN = "TESTKEY", "SECRET/that+nobody=sees", "TOKEN/that+nobody=sees"
FAULTS = ["busy", "failed", "dropped", "lost", "cut", "twice", "late", "unread"]
RATE = 0.3


class Handler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *arguments):
        pass


class Front:
    def __init__(self, service):
        self.service = service
        # Conditions and what they allow are one step, as in a real service.
        self.lock = threading.Lock()
        self.randoms = {}

    def __call__(self, environ, start):
        path = environ["RAW_URI"].split("?")[0]
        first, _, rest = path[1:].partition("/")
        fault = None
        if first.startswith("faults-"):
            with self.lock:
                chance = self.randoms.setdefault(first, random.Random(first))
                if chance.random() < RATE:
                    fault = chance.choice(FAULTS)
        length = int(environ.get("CONTENT_LENGTH") or 0)
        if fault == "unread":
            environ["wsgi.input"].read(length // 2)
            self.hang_up(environ)
        body = environ["wsgi.input"].read(length)
        if fault == "dropped":
            self.hang_up(environ)
        if fault == "busy":
            return self.refuse(start, "503 Slow Down", "SlowDown")
        if fault == "late":
            time.sleep(0.05)
        problem = self.problem(environ, path, body)
        if problem:
            return self.refuse(start, "403 Forbidden", problem)
        if first.startswith("faults-"):
            query = environ.get("QUERY_STRING", "")
            environ["RAW_URI"] = environ["REQUEST_URI"] = "/" + rest + ("?" + query if query else "")
            environ["PATH_INFO"] = "/" + unquote(rest, "latin-1")
        status, headers, content = self.serve(environ, body)
        if fault == "twice":
            status, headers, content = self.serve(environ, body)
        if fault == "failed":
            return self.refuse(start, "500 Internal Server Error", "InternalError")
        if fault == "lost":
            self.hang_up(environ)
        write = start(status, headers)
        if fault == "cut" and len(content) > 1:
            write(content[: len(content) // 2])
            self.hang_up(environ)
        return [content]

    def serve(self, environ, body):
        import io

        environ = dict(environ)
        environ["wsgi.input"] = io.BytesIO(body)
        answer = []
        with self.lock:
            parts = self.service(environ, lambda status, headers, error=None: answer.append((status, headers)))
            content = b"".join(parts)
            if answer[0][0].startswith("200"):
                self.age(environ)
        status, headers = answer[0]
        headers = [(name, value) for name, value in headers if name.lower() != "content-length"]
        size = len(content)
        if environ["REQUEST_METHOD"] == "HEAD":
            size = dict((n.lower(), v) for n, v in answer[0][1]).get("content-length", 0)
        return status, headers + [("Content-Length", str(size))], content

    def age(self, environ):
        _, _, key = unquote(environ["RAW_URI"].split("?")[0][1:]).partition("/")
        if environ["REQUEST_METHOD"] == "PUT" and "/aged/" in key and key.endswith(".forgotten"):
            made = s3_backends[DEFAULT_ACCOUNT_ID]["aws"].buckets["vaults"].keys.get(key)
            if made:
                made.last_modified -= datetime.timedelta(days=31)

    def refuse(self, start, status, code):
        content = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>It is a test.</Message></Error>".encode()
        start(status, [("Content-Type", "application/xml"), ("Content-Length", str(len(content)))])
        return [content]

    def hang_up(self, environ):
        environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
        raise ConnectionAbortedError

    def problem(self, environ, path, body):
        """What is wrong with the signature, as the code of an error."""
        try:
            words = environ["HTTP_AUTHORIZATION"].replace(",", "").split()
            parts = dict(word.split("=", 1) for word in words[1:])
            key, day, region, service, _ = parts["Credential"].split("/")
            headers = {name: environ["HTTP_" + name.upper().replace("-", "_")]
                       if name != "content-type" else environ["CONTENT_TYPE"]
                       for name in parts["SignedHeaders"].split(";")}
            stamp = headers["x-amz-date"]
            age = datetime.datetime.now(datetime.timezone.utc) - datetime.datetime.strptime(
                stamp + "+0000", "%Y%m%dT%H%M%SZ%z")
            if abs(age.total_seconds()) > 900:
                return "RequestTimeTooSkewed"
            if headers["x-amz-content-sha256"] != hashlib.sha256(body).hexdigest():
                return "XAmzContentSHA256Mismatch"
            if not {"host", "x-amz-date"} <= headers.keys():
                return "AccessDenied"
        except (KeyError, ValueError):
            return "AccessDenied"
        query = environ.get("QUERY_STRING", "")
        host = headers["host"]
        request = AWSRequest(environ["REQUEST_METHOD"], f"http://{host}{path}" + (f"?{query}" if query else ""),
                             headers=headers)
        request.context["timestamp"] = stamp
        request.context["payload_signing_enabled"] = True
        request.data = body
        auth = S3SigV4Auth(Credentials(KEY, SECRET), service, region)
        wanted = auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request)
        if key != KEY or headers.get("x-amz-security-token", TOKEN) != TOKEN:
            return "InvalidAccessKeyId"
        return None if wanted == parts["Signature"] else "SignatureDoesNotMatch"


def certificate(folder):
    """A certificate that signs itself, for 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "coffer test")])
    now = datetime.datetime.now(datetime.timezone.utc)
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(1).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1)).add_extension(address, False)
            .add_extension(x509.BasicConstraints(True, None), True).sign(key, hashes.SHA256()))
    with open(folder + "/key.pem", "wb") as file:
        file.write(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                     serialization.NoEncryption()))
    with open(folder + "/certificate.pem", "wb") as file:
        file.write(made.public_bytes(serialization.Encoding.PEM))
    return folder + "/certificate.pem", folder + "/key.pem"


def main():
    folder = sys.argv[1]
    s3_backends[DEFAULT_ACCOUNT_ID]["aws"].create_bucket("vaults", "us-east-1")
    front = Front(DomainDispatcherApplication(create_backend_app))
    files = certificate(folder)
    plain, secure = (make_server("127.0.0.1", 0, front, threaded=True, request_handler=Handler, ssl_context=context)
                     for context in (None, files))
    for server in (plain, secure):
        threading.Thread(target=server.serve_forever, daemon=True).start()
    parent = os.getppid()
    print(plain.port, secure.port, files[0], flush=True)
    while os.getppid() == parent:
        time.sleep(0.5)


main()
