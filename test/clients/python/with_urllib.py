"""With the standard library alone: it calls every body a form, and the token stands in the query."""
import json
import os
import urllib.error
import urllib.parse
import urllib.request

from shared import CLIENT, play

BASE = os.environ["FERIA"]


def send(request):
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{request.get_method()} {request.full_url}: {error.code} {error.read()}") from error


def token(fields):
    data = urllib.parse.urlencode({**CLIENT, **fields}).encode()
    return send(urllib.request.Request(f"{BASE}/oauth/token", data=data))


def token_by_code():
    redirect = os.environ["REDIRECT_URI"]
    return token({"grant_type": "authorization_code", "code": os.environ["CODE"], "redirect_uri": redirect})


def token_by_refresh(refresh_token):
    return token({"grant_type": "refresh_token", "refresh_token": refresh_token})


def call(method, path, access_token, body=None):
    separator = "&" if "?" in path else "?"
    data = None if body is None else json.dumps(body).encode()
    url = f"{BASE}{path}{separator}access_token={access_token}"
    return send(urllib.request.Request(url, data=data, method=method))


def upload(path, access_token, file):
    boundary = "feria-python"
    with open(file, "rb") as content:
        body = (
            f"--{boundary}\r\n"
            'Content-Disposition: form-data; name="file"; filename="etiqueta.png"\r\n'
            "Content-Type: image/png\r\n\r\n"
        ).encode() + content.read() + f"\r\n--{boundary}--\r\n".encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    url = f"{BASE}{path}&access_token={access_token}"
    return send(urllib.request.Request(url, data=body, headers=headers))


play(token_by_code, token_by_refresh, call, upload)
