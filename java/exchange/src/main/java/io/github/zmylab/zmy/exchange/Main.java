package io.github.zmylab.zmy.exchange;

import io.github.zmylab.zmy.StreamReader;
import io.github.zmylab.zmy.StreamWriter;
import io.github.zmylab.zmy.ZmyException;
import io.github.zmylab.zmy.exchange.v1.Item;
import io.github.zmylab.zmy.exchange.v1.Order;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a stream of orders from a file, or from a socket if there is no such file, edits some,
 * appends one and writes all of them: the Java end of spec/exchange. Its types are older than those
 * of the program that wrote the orders.
 */
public final class Main {
  private Main() {}

  /** Edits: from a file or host:port, to a file. */
  public static void main(String[] args) throws IOException, ZmyException {
    if (args.length != 2) {
      System.err.println("usage: exchange FILE|HOST:PORT FILE");
      System.exit(2);
    }
    try (StreamReader in = new StreamReader(open(args[0]));
        StreamWriter out = new StreamWriter(new BufferedOutputStream(new FileOutputStream(args[1])), Order.CODEC)) {
      edit(in, out);
    }
  }

  private static InputStream open(String name) throws IOException {
    int colon = name.lastIndexOf(':');
    if (colon < 0 || new File(name).exists()) {
      return new BufferedInputStream(new FileInputStream(name));
    }
    Socket socket = new Socket(name.substring(0, colon), Integer.parseInt(name.substring(colon + 1)));
    return new BufferedInputStream(socket.getInputStream());
  }

  /** Makes the edits of spec/exchange: every third order, and one more. */
  private static void edit(StreamReader in, StreamWriter out) throws IOException, ZmyException {
    int i = 0;
    for (Order o = in.next(Order.CODEC); o != null; o = in.next(Order.CODEC)) {
      out.write(i++ % 3 == 0 ? edited(o) : o, Order.CODEC);
    }
    List<Item> items = List.of(Item.builder().sku("S-new").qty(7).build());
    out.write(Order.builder().id("A-new").items(items).build(), Order.CODEC);
    out.finish();
  }

  /** Edits an order. Builders keep the unknown parts of newer versions. */
  private static Order edited(Order o) {
    List<Item> items = new ArrayList<>(o.items());
    Item first = items.get(0);
    items.set(0, first.toBuilder().qty(first.qty() + 100).build());
    Map<String, String> labels = new HashMap<>(o.labels());
    labels.put("edited", "yes");
    return o.toBuilder().items(items).labels(labels).build();
  }
}
