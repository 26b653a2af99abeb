// Counts the instructions that a program executes, for qemu's user mode emulation.
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Of qemu's plugin interface, version 1.
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, enum qemu_plugin_op op, void *ptr, uint64_t imm);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t, void *), void *data);

int qemu_plugin_version = 1;

static uint64_t count;
static const char *out;

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
	qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64, &count, qemu_plugin_tb_n_insns(tb));
}

static void ended(qemu_plugin_id_t id, void *data) {
	FILE *f = fopen(out, "w");
	if (f) {
		fprintf(f, "events: Ir\nsummary: %" PRIu64 "\n", count);
		fclose(f);
	}
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
	out = getenv("INSN_OUT");
	if (!out) return 1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
