// A walk of some seconds through land that this process makes, or that a server streams.
//
//   terrane worlds continents --save continents.world     (once, where there is a server)
//   mcs -langversion:7.2 Walk.cs ../../csharp/Terrane.cs
//   mono Walk.exe continents.world [WORLD [SEED]]
//   mono Walk.exe ws://127.0.0.1:4151 [WORLD [SEED]]
//
// The server knows a client by TERRANE_TOKEN. A game would draw the meshes.
using System;
using System.Diagnostics;
using System.IO;
using System.Threading;
using Terrane;

static class Walk
{
    const double Seconds = 3, BlocksPerSecond = 100;

    static readonly ExploreEvent[] events = new ExploreEvent[64];
    static readonly Change[] changes = new Change[64];
    static float[] vertices, waterVertices;
    static int[] indices, waterIndices;
    static long triangles;

    static int Main(string[] arguments)
    {
        if (arguments.Length < 1)
        {
            Console.Error.WriteLine("usage: Walk.exe WORLD_FILE|ws://HOST:PORT [WORLD [SEED]]");
            return 2;
        }
        var options = new ExploreOptions {
            World = arguments.Length > 1 ? arguments[1] : "continents",
            Seed = arguments.Length > 2 ? ulong.Parse(arguments[2]) : 7,
            ViewDistances = new byte[] { 6, 6 }
        };
        try
        {
            bool streamed = arguments[0].StartsWith("ws://") || arguments[0].StartsWith("wss://");
            return streamed ? Streamed(arguments[0], options) : Local(arguments[0], options);
        }
        catch (Exception error) when (error is TerraneException || error is IOException)
        {
            Console.Error.WriteLine("Walk: " + error.Message);
            return 1;
        }
    }

    static int Local(string file, ExploreOptions options)
    {
        using (World world = World.Open(File.ReadAllBytes(file)))
        using (Explorer explorer = Explorer.Local(world, options))
        {
            explorer.StartWorkers(1);
            return Go(world, explorer, null);
        }
    }

    static int Streamed(string urls, ExploreOptions options)
    {
        var server = new ConnectionOptions {
            Urls = urls, Token = Environment.GetEnvironmentVariable("TERRANE_TOKEN")
        };
        using (World world = World.Download(server, options.World))
        using (Explorer explorer = Explorer.Streamed(options))
        using (Connection connection = Connection.Open(server, explorer))
        {
            return Go(world, explorer, connection);
        }
    }

    static int Go(World world, Explorer explorer, Connection connection)
    {
        int frames = 0, steadyFrames = 0;
        long steady = 0;
        var pose = new Pose { VelocityX = BlocksPerSecond, DirectionX = 1 };
        using (var mesh = new TileMesh())
        {
            Stopwatch clock = Stopwatch.StartNew();
            while (clock.Elapsed.TotalSeconds < Seconds)
            {
                // arrays have grown, and code is compiled, after the first second
                bool measured = clock.Elapsed.TotalSeconds > 1;
                long before = GC.GetAllocatedBytesForCurrentThread();
                pose.X = BlocksPerSecond * clock.Elapsed.TotalSeconds;
                explorer.Move(pose);
                if (!Frame(explorer, mesh)) throw explorer.Error;
                if (connection != null) connection.Flush();
                if (measured) steady += GC.GetAllocatedBytesForCurrentThread() - before;
                if (measured) ++steadyFrames;
                ++frames;
                Thread.Sleep(16); // where a game would draw
            }
        }
        Ground ground = explorer.Land.Ground(pose.X, pose.Y);
        if (!ground.Known) throw explorer.Error ?? (Exception)new IOException("no land came");
        bool named = ground.Biome < world.Biomes.Length;
        Console.WriteLine(
            "at {0:F0}, {1:F0} the ground is at {2:F2} ({3}); {4} chunks at hand, {5} triangles " +
            "drawn in {6} frames, {7} bytes allocated a frame", pose.X, pose.Y, ground.Height,
            named ? world.Biomes[ground.Biome].Name : "?", explorer.Land.Count, triangles, frames,
            steady / Math.Max(1, steadyFrames));
        return 0;
    }

    /// Takes in what has come; builds the meshes of what is to be drawn anew, and counts their
    /// triangles. False once the explorer has ended.
    static bool Frame(Explorer explorer, TileMesh mesh)
    {
        int count;
        do
        {
            count = explorer.Poll(events);
            for (int k = 0; k < count; ++k)
            {
                if (events[k].Kind == EventKind.State && events[k].State == ExplorerState.Ended)
                    return false;
            }
        } while (count == events.Length);
        do
        {
            count = explorer.Land.TakeChanges(changes);
            for (int k = 0; k < count; ++k)
            {
                if (changes[k].Kind != ChangeKind.Draw) continue;
                if (!explorer.Land.Mesh(changes[k].Tile, mesh)) continue;
                mesh.CopyVerticesYUp(ref vertices);
                triangles += mesh.CopyIndices(ref indices) / 3;
                mesh.CopyWaterVerticesYUp(ref waterVertices);
                mesh.CopyWaterIndices(ref waterIndices);
            }
        } while (count == changes.Length);
        return true;
    }
}
