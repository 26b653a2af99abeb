package com.example.shop;

import io.github.zmylab.zmy.ZmyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Reads the message in a file, writes it again, and prints what is in it. */
public final class Main {
  public static void main(String[] args) throws IOException, ZmyException {
    byte[] message = Files.readAllBytes(Path.of(args[0]));
    Order order = Order.CODEC.unmarshal(message);
    if (!Arrays.equals(Order.CODEC.marshal(order), message)) {
      throw new IllegalStateException("marshal has written other bytes than it was read from");
    }
    OrderView view = OrderView.of(message);
    System.out.println(view.id() + " " + order.total() + " " + String.join(",", order.tags()));
  }
}
