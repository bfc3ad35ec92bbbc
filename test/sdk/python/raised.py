# Makes the calls that it is given on stdin, and says which exceptions Python's clients raise: one line of JSON.

import json
import sys

import litellm
import openai


def raised(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__
    return None


def classes(base_url, key, model):
    question = {"messages": [{"role": "user", "content": "hi"}]}
    client = openai.OpenAI(base_url=base_url, api_key=key, max_retries=0)
    return {
        "openai": raised(lambda: client.chat.completions.create(model=model, **question)),
        "litellm": raised(
            lambda: litellm.completion(
                model="openai/" + model, api_base=base_url, api_key=key, max_retries=0, num_retries=0, **question
            )
        ),
    }


print(json.dumps([classes(**call) for call in json.load(sys.stdin)]))
