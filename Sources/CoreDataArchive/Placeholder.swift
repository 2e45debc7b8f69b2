internal import Crypto
