// SPDX-License-Identifier: Apache-2.0
// The program of README.md: records two commands once, runs them ten times.
#include <stdio.h>
#include <xpugraph/xpugraph.h>

int main(int argc, char** argv) {
  xpuModule_t module;
  xpuKernel_t add_one;
  xpuStream_t stream;
  xpuGraph_t graph;
  xpuGraphExec_t exec;
  int *numbers, result[256] = {0};

  static char spirv[65536];
  FILE* file = fopen(argc > 1 ? argv[1] : "one_graph.spv", "rb");
  size_t size = file ? fread(spirv, 1, sizeof spirv, file) : 0;
  if (file) fclose(file);
  if (xpuModuleLoadData(&module, spirv, size) != xpuSuccess)
    return puts(xpuGetErrorString(xpuPeekAtLastError())), 1;
  xpuModuleGetKernel(&add_one, module, "add_one");
  xpuStreamCreate(&stream);
  xpuMalloc((void**)&numbers, sizeof result);
  xpuMemset(numbers, 0, sizeof result);

  xpuStreamBeginCapture(stream, xpuStreamCaptureModeGlobal);
  void* args[] = {&numbers};
  xpuLaunchKernel(add_one, (xpuDim3){4, 1, 1}, (xpuDim3){64, 1, 1}, args, 0, stream);
  xpuMemcpyAsync(result, numbers, sizeof result, xpuMemcpyDeviceToHost, stream);
  xpuStreamEndCapture(stream, &graph);

  xpuGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 10; i++) xpuGraphLaunch(exec, stream);
  xpuStreamSynchronize(stream);
  printf("after 10 launches: %d\n", result[255]);

  xpuGraphExecDestroy(exec);
  xpuGraphDestroy(graph);
  xpuFree(numbers);
  xpuStreamDestroy(stream);
  xpuModuleUnload(module);
  return result[255] != 10;
}
