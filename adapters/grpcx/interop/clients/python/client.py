"""Calls every method of the service at an address with grpcio, and prints ok if all answers are right.

Usage: client.py ADDRESS. shop_pb2.py and shop_pb2_grpc.py are made by grpc_tools.protoc from shop.proto.
"""

import sys

import grpc
import shop_pb2 as pb
import shop_pb2_grpc

COUNT = 12


def same(want, got):
    if want != got:
        raise AssertionError(f"{got!r} in place of {want!r}")


def check(o, n):
    same(f"A-{n}", o.id)
    same(n % 3 + 1, len(o.items))
    same(n % 3 + 1, o.items[-1].qty)
    same(1700000000 + n, o.placed.seconds)
    same(5 * n, o.placed.nanos)
    same(n * 3 // 2, o.due.seconds)
    same(n % 2 * 500000000, o.due.nanos)
    same({"höher": n, "low": -n}, dict(o.labels))
    same(n % 2 == 1, o.HasField("note"))
    same(n % 3, o.state)
    same({0: None, 1: "voucher", 2: "card"}[n % 3], o.WhichOneof("payment"))
    same(-1000 * n, o.balance)
    same((1 << 63) + n, o.serial)
    same(bytes([n, 0, 255]), o.seal)
    same([0.5 * n, -1.25], list(o.weights))


def main(address):
    with grpc.insecure_channel(address) as channel:
        shop = shop_pb2_grpc.OrdersStub(channel)
        orders = []
        for n in range(COUNT):
            orders.append(shop.GetOrder(pb.Key(number=n), timeout=20))
            check(orders[-1], n)
        same(orders, list(shop.List(pb.Key(number=COUNT), timeout=20)))
        try:
            shop.GetOrder(pb.Key(number=-1), timeout=20)
            raise AssertionError("an order that is not there has come")
        except grpc.RpcError as e:
            same(grpc.StatusCode.NOT_FOUND, e.code())
            same("no order -1", e.details())
        prices = [sum(i.price * i.qty for i in o.items) for o in orders]
        same(prices, [r.total for r in shop.Price(iter(orders), timeout=20)])
        same(pb.Receipt(orders=COUNT, total=sum(prices)), shop.Put(iter(orders), timeout=20))
    print("ok")


main(sys.argv[1])
