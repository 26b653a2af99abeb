package shop;

import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import shop.Shop.Key;
import shop.Shop.Order;
import shop.Shop.Receipt;
import shop.Shop.State;

/** Calls every method of the service at an address, and prints ok if all answers are right. */
public final class Client {
  private static final int COUNT = 12;

  private Client() {}

  public static void main(String[] args) throws Exception {
    ManagedChannel channel = Grpc.newChannelBuilder(args[0], InsecureChannelCredentials.create()).build();
    try {
      calls(channel);
      System.out.println("ok");
    } finally {
      channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
    }
  }

  private static void calls(Channel channel) throws Exception {
    OrdersGrpc.OrdersBlockingStub blocking = OrdersGrpc.newBlockingStub(channel);
    List<Order> orders = new ArrayList<>();
    for (int n = 0; n < COUNT; n++) {
      Order o = blocking.getOrder(Key.newBuilder().setNumber(n).build());
      check(o, n);
      orders.add(o);
    }
    int n = 0;
    for (Iterator<Order> list = blocking.list(Key.newBuilder().setNumber(COUNT).build()); list.hasNext(); n++) {
      same(orders.get(n), list.next());
    }
    same(COUNT, n);
    try {
      blocking.getOrder(Key.newBuilder().setNumber(-1).build());
      throw new AssertionError("an order that is not there has come");
    } catch (StatusRuntimeException e) {
      same(Status.Code.NOT_FOUND, e.getStatus().getCode());
      same("no order -1", e.getStatus().getDescription());
    }
    OrdersGrpc.OrdersStub async = OrdersGrpc.newStub(channel);
    CompletableFuture<List<Receipt>> put = new CompletableFuture<>();
    send(async.put(collect(put)), orders);
    List<Receipt> sums = put.get(20, TimeUnit.SECONDS);
    same(1, sums.size());
    same((long) COUNT, sums.get(0).getOrders());
    CompletableFuture<List<Receipt>> priced = new CompletableFuture<>();
    send(async.price(collect(priced)), orders);
    List<Receipt> prices = priced.get(20, TimeUnit.SECONDS);
    same(COUNT, prices.size());
    double total = 0;
    for (int i = 0; i < COUNT; i++) {
      double want = orders.get(i).getItemsList().stream().mapToDouble(x -> x.getPrice() * x.getQty()).sum();
      same(want, prices.get(i).getTotal());
      total += want;
    }
    same(total, sums.get(0).getTotal());
  }

  private static void check(Order o, int n) {
    same("A-" + n, o.getId());
    same(n % 3 + 1, o.getItemsCount());
    same(n % 3 + 1, o.getItems(n % 3).getQty());
    same(1700000000L + n, o.getPlaced().getSeconds());
    same(5 * n, o.getPlaced().getNanos());
    same(n * 3L / 2, o.getDue().getSeconds());
    same(n % 2 * 500000000, o.getDue().getNanos());
    same((long) n, o.getLabelsOrThrow("höher"));
    same((long) -n, o.getLabelsOrThrow("low"));
    same(n % 2 == 1, o.hasNote());
    same(State.forNumber(n % 3), o.getState());
    same(n % 3 == 1 ? Order.PaymentCase.VOUCHER : n % 3 == 2 ? Order.PaymentCase.CARD : Order.PaymentCase.PAYMENT_NOT_SET, o.getPaymentCase());
    same(-1000L * n, o.getBalance());
    same(Long.MIN_VALUE + n, o.getSerial());
    same((byte) n, o.getSeal().byteAt(0));
    same(-1.25, o.getWeights(1));
  }

  private static StreamObserver<Receipt> collect(CompletableFuture<List<Receipt>> to) {
    List<Receipt> all = new ArrayList<>();
    return new StreamObserver<>() {
      @Override
      public void onNext(Receipt r) {
        all.add(r);
      }

      @Override
      public void onError(Throwable t) {
        to.completeExceptionally(t);
      }

      @Override
      public void onCompleted() {
        to.complete(all);
      }
    };
  }

  private static void send(StreamObserver<Order> to, List<Order> orders) {
    orders.forEach(to::onNext);
    to.onCompleted();
  }

  private static void same(Object want, Object got) {
    if (!want.equals(got)) {
      throw new AssertionError(got + " in place of " + want);
    }
  }
}
