"""With the library `requests`: everything of a renewal in the query, beside a JSON content type, as the common
class of this language sends it."""
import os

import requests

from shared import CLIENT, play

BASE = os.environ["FERIA"]
HEADERS = {"Accept": "application/json", "Content-Type": "application/json"}


def checked(response):
    if not response.ok:
        raise RuntimeError(f"{response.request.method} {response.url}: {response.status_code} {response.text}")
    return response.json()


def token_by_code():
    fields = {**CLIENT, "grant_type": "authorization_code", "code": os.environ["CODE"]}
    fields["redirect_uri"] = os.environ["REDIRECT_URI"]
    return checked(requests.post(f"{BASE}/oauth/token", params=fields, headers=HEADERS))


def token_by_refresh(refresh_token):
    fields = {**CLIENT, "grant_type": "refresh_token", "refresh_token": refresh_token}
    return checked(requests.post(f"{BASE}/oauth/token", params=fields, headers=HEADERS, data=fields))


def call(method, path, token, body=None):
    headers = {**HEADERS, "Authorization": f"Bearer {token}"}
    return checked(requests.request(method, BASE + path, headers=headers, json=body))


def upload(path, token, file):
    with open(file, "rb") as content:
        files = {"file": ("etiqueta.png", content, "image/png")}
        return checked(requests.post(BASE + path, headers={"Authorization": f"Bearer {token}"}, files=files))


play(token_by_code, token_by_refresh, call, upload)
