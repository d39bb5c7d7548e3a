"""What both Python programs do once they can send a request."""
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

CLIENT = {"client_id": os.environ["CLIENT_ID"], "client_secret": os.environ["CLIENT_SECRET"]}


def at_once(work):
    """Runs the same work in two threads and returns both results."""
    results, errors = [], []

    def run():
        try:
            results.append(work())
        except Exception as error:  # told below
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


class Receiver:
    """Keeps what is sent to it, from its start on."""

    def __init__(self):
        received = self.received = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                received.append(json.loads(body))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", int(os.environ["RECEIVER_PORT"])), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def first(self):
        deadline = time.monotonic() + 20
        while not self.received and time.monotonic() < deadline:
            time.sleep(0.05)
        self.server.shutdown()
        return self.received[0]


def play(token_by_code, token_by_refresh, call, upload):
    """The scenario. `call(method, path, token, body=None)` sends JSON and returns the body of the answer."""
    receiver = Receiver()
    tokens = token_by_refresh(token_by_code()["refresh_token"])
    first, second = at_once(lambda: token_by_refresh(tokens["refresh_token"]))
    token = first["access_token"]
    result = {"same_successor": first["refresh_token"] == second["refresh_token"]}
    seller = call("GET", "/users/me", token)["id"]

    orders = []
    while True:
        page = call("GET", f"/orders/search?seller={seller}&sort=date_desc&limit=2&offset={len(orders)}", token)
        orders += page["results"]
        if not page["results"] or len(orders) >= page["paging"]["total"]:
            break
    result["orders"] = len(orders)
    result["order"] = call("GET", f"/orders/{orders[0]['id']}", token)["id"] == orders[0]["id"]

    items, scroll = [], None
    while True:
        more = f"&scroll_id={scroll}" if scroll else ""
        page = call("GET", f"/users/{seller}/items/search?search_type=scan&limit=2{more}", token)
        items += page["results"]
        scroll = page["scroll_id"]
        if not page["results"] or not scroll:
            break
    result["items"] = len(set(items))

    answer = {"question_id": os.environ["QUESTION_ID"], "text": "Sí, hay stock."}
    result["answered"] = call("POST", "/answers", token, answer)["status"]

    uploaded = upload("/messages/attachments?tag=post_sale&site_id=MLA", token, os.environ["FILE"])
    path = f"/messages/packs/{os.environ['PACK_ID']}/sellers/{seller}?tag=post_sale"
    message = {
        "from": {"user_id": str(seller)},
        "to": {"user_id": os.environ["BUYER_ID"]},
        "text": "Te mando la foto.",
        "attachments": [uploaded["id"]],
    }
    result["message"] = call("POST", path, token, message)["status"]

    item = call("POST", "/items", token, json.loads(os.environ["PUBLICATION"]))
    change = {"price": "2100.50", "available_quantity": "7"}
    changed = call("PUT", f"/items/{item['id']}", token, change)
    result["price"], result["quantity"] = changed["price"], changed["available_quantity"]

    missed = call("GET", f"/missed_feeds?app_id={CLIENT['client_id']}", token)
    result["missed"] = isinstance(missed["messages"], list)

    notification = receiver.first()
    result["received"] = notification["topic"]
    result["key"] = len(notification["_id"]) == 24
    json.dump(result, sys.stdout)
    print()
