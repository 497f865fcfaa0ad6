"""The official Python client (a2a-sdk), unchanged, against a running shop: one binding and version a run.

Arguments: origin, binding, version, API key, and two purchases as JSON. Prints one JSON object of what it saw.
With AGENT_KEY (a private JWK) and AGENT_URL in the environment its requests are signed by the module `signed_requests`.
"""

import asyncio
import json
import os
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as a2a
from a2a.utils.signing import create_signature_verifier
from google.protobuf.json_format import MessageToDict, ParseDict
from jwt import PyJWK

ORIGIN, BINDING, VERSION, KEY, ALLOWED, REFUSED = sys.argv[1:7]


def signing():
    if "AGENT_KEY" not in os.environ:
        return None
    from signed_requests import SignedRequests

    return SignedRequests(json.loads(os.environ["AGENT_KEY"]), os.environ["AGENT_URL"])


def message(data):
    part = {"text": data} if isinstance(data, str) else {"data": data}
    said = {"messageId": str(uuid.uuid4()), "role": "ROLE_USER", "parts": [part]}
    return ParseDict({"message": said}, a2a.SendMessageRequest())


async def ask(client, data):
    async for event in client.send_message(message(data)):
        return MessageToDict(event)
    return None


async def error_of(work):
    try:
        await work
    except Exception as error:  # noqa: BLE001
        return type(error).__name__
    return None


async def check_card(http):
    """With the verifier of the SDK and the keys of the host."""
    response = await http.get(f"{ORIGIN}/.well-known/jwks.json")
    keys = {key["kid"]: PyJWK(key) for key in response.json()["keys"]}
    verify = create_signature_verifier(lambda kid, jku: keys[kid], ["EdDSA"])

    def changed(card):
        card.name = "another"
        verify(card)

    resolver = A2ACardResolver(http, ORIGIN)
    return {
        "good": await error_of(resolver.get_agent_card(signature_verifier=verify)),
        "changed": await error_of(resolver.get_agent_card(signature_verifier=changed)),
    }


async def buy(client, seen):
    seen["allowed"] = await ask(client, json.loads(ALLOWED))
    seen["refused"] = await ask(client, json.loads(REFUSED))
    task = seen["refused"]["task"]
    decision_id = task["status"]["message"]["metadata"]["decision_id"]
    seen["explained"] = await ask(client, {"decision_id": decision_id})
    seen["task"] = MessageToDict(await client.get_task(a2a.GetTaskRequest(id=task["id"])))
    seen["cancel"] = await error_of(client.cancel_task(a2a.CancelTaskRequest(id=task["id"])))
    seen["unknown"] = await error_of(client.get_task(a2a.GetTaskRequest(id="no-such")))
    push = a2a.TaskPushNotificationConfig(task_id=task["id"], id="p", url="http://127.0.0.1:9/")
    seen["push"] = MessageToDict(await client.create_task_push_notification_config(push))
    if VERSION == "1.0":
        listed = await client.list_tasks(a2a.ListTasksRequest())
        seen["listed"] = len(listed.tasks)
        gone = a2a.DeleteTaskPushNotificationConfigRequest(task_id=task["id"], id="p")
        seen["deleted"] = await error_of(client.delete_task_push_notification_config(gone))


async def main():
    headers = {"authorization": f"Bearer {KEY}"} if KEY else {}
    async with httpx.AsyncClient(headers=headers, timeout=30, auth=signing()) as http:
        card = await A2ACardResolver(http, ORIGIN).get_agent_card()
        kept = [one for one in card.supported_interfaces if one.protocol_version == VERSION]
        del card.supported_interfaces[:]
        card.supported_interfaces.extend(kept)
        config = ClientConfig(httpx_client=http, streaming=False, supported_protocol_bindings=[BINDING])
        client = ClientFactory(config).create(card)
        seen = {"card": await check_card(http)}
        try:
            seen["products"] = await ask(client, "chai")
        except Exception as error:  # noqa: BLE001
            seen["refused_with"] = f"{type(error).__name__}: {error}"
            print(json.dumps(seen))
            return
        if KEY:
            await buy(client, seen)
        else:
            seen["denied"] = await error_of(ask(client, json.loads(ALLOWED)))
        print(json.dumps(seen))


asyncio.run(main())
