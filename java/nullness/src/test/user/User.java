import io.github.zmylab.zmy.Any;
import io.github.zmylab.zmy.Envelope;
import io.github.zmylab.zmy.SealOptions;
import io.github.zmylab.zmy.StreamReader;
import io.github.zmylab.zmy.ZmyException;
import io.github.zmylab.zmy.vectors.Actor;
import io.github.zmylab.zmy.vectors.Cast;
import io.github.zmylab.zmy.vectors.Lists;
import io.github.zmylab.zmy.vectors.MapsView;
import io.github.zmylab.zmy.vectors.Optional;
import io.github.zmylab.zmy.vectors.OptionalView;
import io.github.zmylab.zmy.vectors.Order;
import io.github.zmylab.zmy.vectors.Tree;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** A program of a user. A checker refuses the lines with "// refused", and no others. */
@NullMarked
final class User {
  private User() {}

  static int fields(Optional o) {
    int n = o.text().length(); // refused
    n += o.bytes().length; // refused
    n += o.names().size(); // refused
    n += o.int_() == null ? 0 : o.int_().intValue();
    List<String> names = o.names() == null ? List.of() : o.names();
    return n + names.size();
  }

  static int never(Order o, Tree t) {
    return o.id().length() + o.items().size() + t.any().hashCode() + Order.ZERO.id().length();
  }

  static int elements(Lists l, Cast c) {
    List<String> optionals = l.optionals(); // refused
    List<@Nullable String> same = l.optionals();
    int n = optionals.size() + same.size() + l.texts().get(0).length();
    n += l.optionals().get(0).length(); // refused
    Actor lead = c.lead();
    return n + lead.hashCode(); // refused
  }

  static Optional build(@Nullable String text) {
    Order.builder().id(text).build(); // refused
    Order.builder().items(List.of()).build();
    return Optional.builder().text(text).names(null).build();
  }

  static int views(OptionalView o, MapsView m) throws ZmyException {
    int n = o.point().record().hashCode(); // refused
    n += m.text("key").length(); // refused
    n += o.text().length(); // refused
    return n + m.textKey(0).length() + o.record().hashCode();
  }

  static int library(StreamReader in, byte[] sealed) throws IOException, ZmyException {
    int n = in.next().length; // refused
    n += in.next(Order.CODEC).id().length(); // refused
    n += Envelope.open(sealed).schema().length; // refused
    n += Envelope.open(sealed).message().length;
    n += Any.of(null).hashCode();
    for (Order o = in.next(Order.CODEC); o != null; o = in.next(Order.CODEC)) {
      n += o.id().length();
    }
    byte[] none = Order.CODEC.marshal(null); // refused
    return n + none.length + new SealOptions(null, null, false, 0, SealOptions.DEFAULT.encode()).chunkSize();
  }
}
