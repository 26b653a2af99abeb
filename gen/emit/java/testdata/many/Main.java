import io.github.zmylab.zmy.Codec;
import io.github.zmylab.zmy.ZmyException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import many.Many;
import many.ManyKeep;
import many.ManySparse;

/** Holds the codecs of structs with many fields against a message that Go wrote, and against the verifier, which goes by tables. */
public final class Main {
  public static void main(String[] args) throws Exception {
    byte[] b = Files.readAllBytes(Path.of(args[0]));
    Many v = again(Many.CODEC, b);
    ManyKeep keep = again(ManyKeep.CODEC, b); // an older version, which passes on what it does not know
    check(!keep.unknown().isEmpty(), "nothing was kept");
    byte[] sparse = ManySparse.CODEC.marshal(copy(v, ManySparse.class));
    check(copy(again(ManySparse.CODEC, sparse), Many.class).equals(v), "the sparse form has other values");
    check(Many.CODEC.unmarshal(ManyKeep.CODEC.marshal(ManyKeep.ZERO)).equals(Many.ZERO), "an older message has other values");
    int refused = damage(Many.CODEC, b) + damage(ManyKeep.CODEC, b) + damage(ManySparse.CODEC, sparse);
    try {
      Many.CODEC.marshal(v.toBuilder().f209(-1).build()); // the last field, without a sign
      throw new AssertionError("-1 was written");
    } catch (ZmyException e) {
      check(e.getMessage().startsWith("zmy: Many.F209: "), e.getMessage());
    }
    System.out.println("ok, " + (refused > 1000));
  }

  private static void check(boolean good, String fault) {
    if (!good) {
      throw new AssertionError(fault);
    }
  }

  private static <T> T again(Codec<T> codec, byte[] b) throws ZmyException {
    T v = codec.unmarshal(b);
    check(Arrays.equals(codec.marshal(v), b), codec.name() + " writes other bytes");
    return v;
  }

  /** A record with the components of another. */
  private static <T> T copy(Object v, Class<T> type) throws ReflectiveOperationException {
    RecordComponent[] all = type.getRecordComponents();
    Class<?>[] types = new Class<?>[all.length];
    Object[] values = new Object[all.length];
    for (int i = 0; i < all.length; i++) {
      types[i] = all[i].getType();
      values[i] = v.getClass().getMethod(all[i].getName()).invoke(v);
    }
    return type.getDeclaredConstructor(types).newInstance(values);
  }

  /** Of damaged messages codec and verifier say the same. */
  private static <T> int damage(Codec<T> codec, byte[] b) {
    Random r = new Random(1);
    int refused = 0;
    for (int i = 0; i < 3000; i++) {
      byte[] x = i < b.length ? Arrays.copyOf(b, i) : b.clone();
      if (i >= b.length) {
        x[r.nextInt(x.length)] ^= (byte) (1 << r.nextInt(8));
      }
      String read = fault(() -> codec.unmarshal(x));
      check(read.equals(fault(() -> codec.verify(x))), codec.name() + ": " + read);
      refused += read.isEmpty() ? 0 : 1;
    }
    return refused;
  }

  private interface Call {
    void call() throws ZmyException;
  }

  private static String fault(Call c) {
    try {
      c.call();
      return "";
    } catch (ZmyException e) {
      return e.code() + " at " + e.offset() + " in " + e.path();
    }
  }
}
