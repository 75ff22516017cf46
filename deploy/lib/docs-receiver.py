

# Runs the receiver before it with the requests of docs-receiver-requests.py.
import sys

applied = []


def apply(event):
    applied.append(event["type"])


for line in sys.stdin:
    request = json.loads(line)
    print(receive(request["headers"], request["body"]))
print("\n".join(applied))
