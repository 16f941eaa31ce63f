using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

namespace Orders
{
    /// <summary>One line of an order.</summary>
    public record Line(string Name, decimal Price, int Count = 1);

    [Serializable]
    public sealed class Order : IDisposable
    {
        private readonly List<Line> lines = new List<Line>();
        public event EventHandler? Changed;
        public string Id { get; init; } = Guid.NewGuid().ToString("N");
        public decimal Total => lines.Sum(l => l.Price * l.Count);

        public void Add(Line line)
        {
            if (line is null)
                throw new ArgumentNullException(nameof(line));
            lines.Add(line);
            Changed?.Invoke(this, EventArgs.Empty);
        }

        public async Task<string> SaveAsync(string path)
        {
            using var file = new System.IO.StreamWriter(path);
            foreach (var l in lines)
            {
                await file.WriteLineAsync($"{l.Name};{l.Price:F2}");
            }
            return @"saved to ""disk""";
        }

        public static string Kind(int n) => n switch
        {
            0 => "none",
            > 0 and < 10 => "few",
            _ => "many",
        };

        public void Dispose()
        {
            try { lines.Clear(); }
            catch (Exception e) when (e is not InvalidOperationException) { Console.WriteLine(e); }
            finally { GC.SuppressFinalize(this); }
        }
    }
}
