/* The guest's side of the sandbox: starts CPython 3.13, counts its steps and speaks with the host.
 *
 * Wasm imports, module "dr":
 *   tick(used) -> n      the slice of steps is used up; n > 0 grants n more, otherwise KeyboardInterrupt is raised
 *   ran(used) -> n       a guarded call has ended; n steps for what follows, the sandbox's own code
 *   out(fd, p, n)        text written by the program
 *   call(np, nn, p, n)   host call; the length of the reply, or -1 - length of an error text
 *   take(p)              copies the pending reply or error text
 *   result(field, p, n)  one field of a cell's result
 *   ended(how)           the outermost run() is over: 1 its code reached the end, 2 SystemExit, 0 another exception
 *
 * Exports: dr_init, dr_boot, dr_enter, dr_alloc, dr_free, dr_getfuel, dr_setfuel, dr_bell.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#define IMPORT(name) __attribute__((import_module("dr"), import_name(name)))
#define EXPORT(name) __attribute__((export_name(name)))

IMPORT("tick") int64_t host_tick(int64_t used);
IMPORT("ran") int64_t host_ran(int64_t used);
IMPORT("out") void host_out(int32_t fd, const char *p, int32_t n);
IMPORT("call") int32_t host_call(const char *name, int32_t name_len, const char *p, int32_t n);
IMPORT("take") void host_take(char *p);
IMPORT("result") void host_result(int32_t field, const char *p, int32_t n);
IMPORT("ended") void host_ended(int32_t how);

/* A slice of n steps ends with the step that uses the n-th: fuel starts at n - 1 and is spent below 0. */
static int64_t slice = 19999;
int64_t dr_fuel = 19999;

/* Set by the host, from outside, when a deadline has passed: the next step asks the host at once. */
volatile int32_t dr_bell = 0;

static void grant(int64_t n) { slice = dr_fuel = n - 1; }

/* Steps granted to handlers after each raise, so that finally blocks and context managers run, but a program that
 * swallows the interrupt meets it again at ever shorter intervals and at last at every step. */
static const int64_t AFTER[] = {2000, 500, 100, 20, 1};
static int raised = 0;

int dr_fuel_out(void)
{
    dr_bell = 0;
    int64_t n = host_tick(slice - dr_fuel);
    if (n > 0) {
        grant(n);
        return 0;
    }
    grant(AFTER[raised]);
    if (raised < 4)
        raised++;
    const char *why = n == 0 ? "stopped: step budget used up" : n == -1 ? "stopped: time limit reached" : "stopped: cancelled";
    PyErr_SetString(PyExc_KeyboardInterrupt, why);
    return 1;
}

/* ---- module _host: what programs may use ---- */

static PyObject *h_call(PyObject *self, PyObject *args)
{
    const char *name;
    Py_ssize_t name_len;
    Py_buffer b;
    if (!PyArg_ParseTuple(args, "s#y*:call", &name, &name_len, &b))
        return NULL;
    int32_t n = host_call(name, (int32_t)name_len, (const char *)b.buf, (int32_t)b.len);
    PyBuffer_Release(&b);
    if (n >= 0) {
        PyObject *r = PyBytes_FromStringAndSize(NULL, n);
        if (r && n)
            host_take(PyBytes_AS_STRING(r));
        return r;
    }
    n = -1 - n;
    char *text = PyMem_Malloc((size_t)n + 1);
    if (!text)
        return PyErr_NoMemory();
    if (n)
        host_take(text);
    PyObject *s = PyUnicode_DecodeUTF8(text, n, "replace");
    PyMem_Free(text);
    if (s) {
        PyErr_SetObject(PyExc_RuntimeError, s);
        Py_DECREF(s);
    }
    return NULL;
}

static PyMethodDef host_methods[] = {
    {"call", h_call, METH_VARARGS, "call(name, payload) -> bytes\n\nAsk the host program; RuntimeError when it refuses."},
    {0},
};
static struct PyModuleDef host_def = {PyModuleDef_HEAD_INIT, "_host", "The sandbox's host.", -1, host_methods};
PyMODINIT_FUNC PyInit__host(void) { return PyModule_Create(&host_def); }

/* ---- module _dr: what boot.py needs ---- */

static PyObject *d_write(PyObject *self, PyObject *args)
{
    int fd;
    const char *p;
    Py_ssize_t n;
    if (!PyArg_ParseTuple(args, "is#:write", &fd, &p, &n))
        return NULL;
    host_out(fd, p, (int32_t)n);
    Py_RETURN_NONE;
}

static PyObject *d_result(PyObject *self, PyObject *args)
{
    int field;
    const char *p;
    Py_ssize_t n;
    if (!PyArg_ParseTuple(args, "is#:result", &field, &p, &n))
        return NULL;
    host_result(field, p, (int32_t)n);
    Py_RETURN_NONE;
}

/* guard(f, *args): calls f, which may run untrusted code and be interrupted; afterwards the sandbox's own code has
 * steps again. */
static PyObject *d_guard(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (n < 1) {
        PyErr_SetString(PyExc_TypeError, "guard() needs a function");
        return NULL;
    }
    PyObject *r = PyObject_Vectorcall(args[0], args + 1, n - 1, NULL);
    grant(host_ran(slice - dr_fuel));
    raised = 0;
    return r;
}

/* run(code, globals): runs a program's code. How it ended is told to the host from here, where no Python stands between
 * the interpreter and the telling; the host believes the first word only, so that what runs later cannot take it back. */
static PyObject *d_run(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    static int running = 0;
    if (n != 2 || !PyCode_Check(args[0]) || !PyDict_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "run() needs code and globals");
        return NULL;
    }
    running++;
    PyObject *r = PyEval_EvalCode(args[0], args[1], args[1]);
    if (--running == 0) {
        host_ended(r ? 1 : PyErr_ExceptionMatches(PyExc_SystemExit) ? 2 : 0);
        grant(host_ran(slice - dr_fuel));
        raised = 0;
    }
    return r;
}

static PyMethodDef dr_methods[] = {
    {"write", d_write, METH_VARARGS, ""},
    {"result", d_result, METH_VARARGS, ""},
    {"run", (PyCFunction)(void (*)(void))d_run, METH_FASTCALL, ""},
    {"guard", (PyCFunction)(void (*)(void))d_guard, METH_FASTCALL, ""},
    {0},
};
static struct PyModuleDef dr_def = {PyModuleDef_HEAD_INIT, "_dr", NULL, -1, dr_methods};
PyMODINIT_FUNC PyInit__dr(void) { return PyModule_Create(&dr_def); }

/* ---- exports ---- */

static PyObject *enter; /* _boot.enter, kept alive here so that no program can replace it */

EXPORT("dr_init") int32_t dr_init(void)
{
    PyStatus st;
    PyConfig c;
    PyImport_AppendInittab("_host", PyInit__host);
    PyImport_AppendInittab("_dr", PyInit__dr);
    PyConfig_InitIsolatedConfig(&c);
    c.site_import = 0;
    c.use_hash_seed = 1;
    c.hash_seed = 0;
    c.write_bytecode = 0;
    c.install_signal_handlers = 0;
    c.buffered_stdio = 0;
    PyConfig_SetString(&c, &c.home, L"/py");
    PyConfig_SetString(&c, &c.program_name, L"python");
    c.module_search_paths_set = 1;
    PyWideStringList_Append(&c.module_search_paths, L"/py/lib");
    st = Py_InitializeFromConfig(&c);
    PyConfig_Clear(&c);
    if (PyStatus_Exception(st)) {
        if (st.err_msg)
            host_out(2, st.err_msg, (int32_t)strlen(st.err_msg));
        return -1;
    }
    return 0;
}

/* Runs boot.py in its own module, so that programs see none of its names. */
EXPORT("dr_boot") int32_t dr_boot(const char *source)
{
    PyObject *d = PyModule_GetDict(PyImport_AddModule("_boot"));
    PyObject *r = NULL, *code = Py_CompileString(source, "<boot>", Py_file_input);
    /* Builtins of its own: a program that breaks the common ones breaks itself only. */
    PyObject *builtins = PyDict_Copy(PyEval_GetBuiltins());
    if (builtins && PyDict_SetItemString(d, "__builtins__", builtins) == 0 && code)
        r = PyEval_EvalCode(code, d, d);
    Py_XDECREF(builtins);
    Py_XDECREF(code);
    if (r)
        enter = Py_XNewRef(PyDict_GetItemString(d, "enter"));
    if (!enter) {
        PyErr_Print();
        return -1;
    }
    Py_DECREF(r);
    return 0;
}

/* enter(op, number, data): 0 when boot.py has reported the outcome through result(), -1 when even that failed. */
EXPORT("dr_enter") int32_t dr_enter(int32_t op, int32_t number, const char *p, int32_t n)
{
    raised = 0;
    PyObject *r = PyObject_CallFunction(enter, "iiy#", op, number, p, (Py_ssize_t)n);
    if (r) {
        Py_DECREF(r);
        return 0;
    }
    PyObject *e = PyErr_GetRaisedException();
    const char *type = e ? Py_TYPE(e)->tp_name : "SystemError";
    host_result(1, type, (int32_t)strlen(type));
    Py_XDECREF(e);
    PyErr_Clear();
    return -1;
}

EXPORT("dr_alloc") void *dr_alloc(int32_t n) { return malloc((size_t)n); }
EXPORT("dr_free") void dr_free(void *p) { free(p); }
EXPORT("dr_getfuel") int64_t dr_getfuel(void) { return slice - dr_fuel; }
EXPORT("dr_setfuel") void dr_setfuel(int64_t n) { grant(n); }
EXPORT("dr_bell") volatile int32_t *dr_bell_address(void) { return &dr_bell; }
