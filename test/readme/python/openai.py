# Stands in for OpenAI's package, which npm doesn't install: it sends what the real client of README.md would send.

import json
import urllib.request
from types import SimpleNamespace


class OpenAI:
    def __init__(self, *, base_url, api_key):
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._create))

    def _create(self, **body):
        request = urllib.request.Request(
            self._base_url + "/chat/completions",
            data=json.dumps(body).encode(),
            headers={"Authorization": "Bearer " + self._api_key, "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response, object_hook=lambda members: SimpleNamespace(**members))
